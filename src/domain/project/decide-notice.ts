// Store reports about an app as a whole. They do not change the project; a repeat has the same command id.
import type { ProjectEvent } from './events.js';

export type ProjectNotice = Extract<
  ProjectEvent,
  { type: 'RenewalExtensionCompleted' | 'ExternalPurchaseTokenReceived' | 'AppConsentRescinded' }
>;
export type RecordNotice = { readonly kind: 'recordNotice'; readonly notice: ProjectNotice };
