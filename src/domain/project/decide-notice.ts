// What a store reports about an app as a whole. It changes nothing of the project; a repeat is known by its command.
import type { ProjectEvent } from './events.js';

export type ProjectNotice = Extract<
  ProjectEvent,
  { type: 'RenewalExtensionCompleted' | 'ExternalPurchaseTokenReceived' | 'AppConsentRescinded' }
>;
export type RecordNotice = { readonly kind: 'recordNotice'; readonly notice: ProjectNotice };
