// The state of a project that its rules need. A deleted project has no state.
import { withChanges } from '../changes.js';
import { remaining } from '../events.js';
import type { App, ProjectData, ProjectEvent, ProjectTypesTouching, MemberEventName } from './events.js';
import type { Role } from './roles.js';

export type ProjectSettings = Pick<
  ProjectData<'ProjectCreated'>,
  'name' | 'transferBehavior' | 'sandboxAccess' | 'displayCurrency'
> & { readonly timezone: string };

/** `fingerprint` null: the app's credentials were deleted. */
type AppCredentials = { readonly appId: string; readonly fingerprint: string | null };

type ReportSource = Omit<ProjectData<'ReportSourceRegistered'>, 'store'>;

export type Project = ProjectSettings & {
  readonly projectId: string;
  readonly ownerId: string;
  /** Apps that are not deleted. */
  readonly apps: readonly App[];
  readonly keys: readonly { readonly keyId: string; readonly sha256: string; readonly appId: string | null }[];
  readonly credentials: readonly AppCredentials[];
  readonly reportSources: readonly ReportSource[];
  readonly annotationIds: readonly string[];
  /** Charts that are or were watched. `lastDay`: latest day whose figure left its band; empty without one. */
  readonly figures: readonly { readonly chartId: string; readonly isWatched: boolean; readonly lastDay: string }[];
  readonly members: readonly Member[];
  /** Invitations that are neither used nor revoked; some may have expired. */
  readonly invitations: readonly Invitation[];
};

/** `invitationId` null: the creator of the project. */
export type Member = { readonly userId: string; readonly role: Role; readonly invitationId: string | null };
/** `expiresAt`: ISO 8601, UTC. */
type Invitation = Omit<ProjectData<'MemberInvited'>, 'email'>;

type AppEventType = ProjectTypesTouching<'apps' | 'credentials' | 'reportSources'>;
type NoticeEventType = 'RenewalExtensionCompleted' | 'ExternalPurchaseTokenReceived' | 'AppConsentRescinded';

export function evolveProject(state: Project | null, event: ProjectEvent): Project | null {
  if (event.type === 'ProjectCreated') return newProject(event.data);
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
    case 'FigureWatchStarted':
      return withFigure(state, event.data.chartId, { isWatched: true });
    case 'FigureWatchStopped':
      return withFigure(state, event.data.chartId, { isWatched: false });
    case 'FigureLeftBand':
      return withFigure(state, event.data.chartId, { lastDay: event.data.day });
    case 'ImportConfirmed':
      return state;
    case 'MemberInvited':
    case 'InvitationWithdrawn':
    case 'MemberJoined':
    case 'MemberRoleChanged':
    case 'MemberRemoved':
      return evolveMembers(state, event);
    default:
      remaining<AppEventType | NoticeEventType>(event);
      return evolveApps(state, event);
  }
}

function withFigure(state: Project, chartId: string, set: Partial<Project['figures'][number]>): Project {
  const others = state.figures.filter((one) => one.chartId !== chartId);
  const known = state.figures.find((one) => one.chartId === chartId) ?? { chartId, isWatched: false, lastDay: '' };
  return { ...state, figures: [...others, { ...known, ...set }] };
}

function newProject(data: ProjectData<'ProjectCreated'>): Project {
  const members = [{ userId: data.ownerId, role: 'owner' as const, invitationId: null }];
  const { timezone = 'UTC' } = data;
  return {
    ...data,
    timezone,
    apps: [],
    keys: [],
    credentials: [],
    reportSources: [],
    annotationIds: [],
    figures: [],
    members,
    invitations: [],
  };
}

function evolveMembers(state: Project, event: Extract<ProjectEvent, { type: MemberEventName }>): Project {
  const without = (invitationId: string) => state.invitations.filter((i) => i.invitationId !== invitationId);
  switch (event.type) {
    case 'MemberInvited': {
      const { email: _sealed, ...invitation } = event.data;
      const others = state.invitations.filter((i) => i.emailKey !== invitation.emailKey);
      return { ...state, invitations: [...others, invitation] };
    }
    case 'InvitationWithdrawn':
      return { ...state, invitations: without(event.data.invitationId) };
    case 'MemberJoined':
      return {
        ...state,
        invitations: without(event.data.invitationId),
        members: [...state.members, event.data],
      };
    case 'MemberRoleChanged': {
      const { userId, to: role } = event.data;
      return { ...state, members: state.members.map((m) => (m.userId === userId ? { ...m, role } : m)) };
    }
    case 'MemberRemoved':
      return { ...state, members: state.members.filter((m) => m.userId !== event.data.userId) };
  }
}

function evolveApps(state: Project, event: Extract<ProjectEvent, { type: AppEventType | NoticeEventType }>): Project {
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
      const { apps, credentials, reportSources } = state;
      return {
        ...state,
        apps: apps.filter(isOther),
        credentials: credentials.filter(isOther),
        reportSources: reportSources.filter(isOther),
      };
    }
    case 'AppCredentialsRegistered':
      return withCredentials(state, event.data.appId, event.data.fingerprint);
    case 'AppCredentialsDeleted':
      return withCredentials(state, event.data.appId, null);
    case 'ReportSourceRegistered': {
      const { appId, account, fingerprint } = event.data;
      const others = state.reportSources.filter((one) => one.appId !== appId);
      return { ...state, reportSources: [...others, { appId, account, fingerprint }] };
    }
    case 'ReportSourceDeleted':
      return { ...state, reportSources: state.reportSources.filter((one) => one.appId !== event.data.appId) };
    default:
      remaining<NoticeEventType>(event);
      return state;
  }
}

function withCredentials(state: Project, appId: string, fingerprint: string | null): Project {
  const others = state.credentials.filter((c) => c.appId !== appId);
  return { ...state, credentials: [...others, { appId, fingerprint }] };
}
