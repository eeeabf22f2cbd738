// What the rules of a project need to know of it. A deleted project is none.
import { withChanges } from '../changes.js';
import { remaining } from '../events.js';
import type { App, ProjectData, ProjectEvent } from './events.js';

export type ProjectSettings = Pick<
  ProjectData<'ProjectCreated'>,
  'name' | 'transferBehavior' | 'sandboxAccess' | 'displayCurrency'
>;

/** `fingerprint` null: the app had credentials once, and has none now. */
export type AppCredentials = { readonly appId: string; readonly fingerprint: string | null };

export type Project = ProjectSettings & {
  readonly projectId: string;
  readonly ownerId: string;
  /** Without the deleted ones. */
  readonly apps: readonly App[];
  readonly keys: readonly { readonly keyId: string; readonly sha256: string; readonly appId: string | null }[];
  readonly credentials: readonly AppCredentials[];
  readonly annotationIds: readonly string[];
};

type OfApps =
  ('AppRegistered' | 'AppSettingsUpdated' | 'AppDeleted') | ('AppCredentialsRegistered' | 'AppCredentialsDeleted');
type NoticeOnly = 'RenewalExtensionCompleted' | 'ExternalPurchaseTokenReceived' | 'AppConsentRescinded';

export function evolveProject(state: Project | null, event: ProjectEvent): Project | null {
  if (event.type === 'ProjectCreated') return { ...event.data, apps: [], keys: [], credentials: [], annotationIds: [] };
  if (!state) return state;
  switch (event.type) {
    case 'ProjectUpdated':
      return withChanges(state, event.data.changes);
    case 'ProjectDeleted':
      return null;
    case 'ApiKeyCreated': {
      const { keyId, sha256, appId } = event.data;
      return { ...state, keys: [...state.keys, { keyId, sha256, appId }] };
    }
    case 'ApiKeyDeleted':
      return { ...state, keys: state.keys.filter((k) => k.keyId !== event.data.keyId) };
    case 'AnnotationAdded':
      return { ...state, annotationIds: [...state.annotationIds, event.data.annotationId] };
    case 'AnnotationDeleted': {
      const { annotationId } = event.data;
      return { ...state, annotationIds: state.annotationIds.filter((id) => id !== annotationId) };
    }
    default:
      remaining<OfApps | NoticeOnly>(event);
      return evolveApps(state, event);
  }
}

function evolveApps(state: Project, event: Extract<ProjectEvent, { type: OfApps | NoticeOnly }>): Project {
  switch (event.type) {
    case 'AppRegistered':
      return { ...state, apps: [...state.apps, event.data] };
    case 'AppSettingsUpdated': {
      const { appId, changes } = event.data;
      return { ...state, apps: state.apps.map((a) => (a.appId === appId ? withChanges(a, changes) : a)) };
    }
    case 'AppDeleted': {
      const { appId } = event.data;
      const isOther = (app: { readonly appId: string }) => app.appId !== appId;
      return { ...state, apps: state.apps.filter(isOther), credentials: state.credentials.filter(isOther) };
    }
    case 'AppCredentialsRegistered':
      return withCredentials(state, event.data.appId, event.data.fingerprint);
    case 'AppCredentialsDeleted':
      return withCredentials(state, event.data.appId, null);
    default:
      remaining<NoticeOnly>(event);
      return state;
  }
}

function withCredentials(state: Project, appId: string, fingerprint: string | null): Project {
  const others = state.credentials.filter((c) => c.appId !== appId);
  return { ...state, credentials: [...others, { appId, fingerprint }] };
}
