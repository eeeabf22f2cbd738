// A project with its apps and API keys: facts, state, rules.
import { z } from 'zod';
import { Rejection, type Decider } from '../decider.js';
import { defineEvent, type EventOf } from '../events.js';
import { instant, refundPolicy, storeName } from '../subscriber/blocks.js';

export const transferBehavior = z.enum(['transfer', 'transfer_if_no_active', 'keep']);
export type TransferBehavior = z.output<typeof transferBehavior>;
export const sandboxAccess = z.enum(['anybody', 'nobody']);

const appFields = {
  appId: z.string(),
  name: z.string(),
  platform: z.enum(['ios', 'android']),
  store: storeName,
  /** Bundle id or package name: what the store calls the app. */
  storeIdentifier: z.string(),
  storeAppId: z.int().nullable(),
  notificationForwardingUrl: z.string().nullable(),
  refundPolicy,
  iosStoreSmallBusiness: z.boolean(),
};

export const projectEvents = {
  ProjectCreated: defineEvent('ProjectCreated', {
    projectId: z.string(),
    name: z.string(),
    ownerId: z.string(),
    transferBehavior,
    sandboxAccess,
    displayCurrency: z.string().length(3),
  }),
  AppRegistered: defineEvent('AppRegistered', appFields),
  /** Only the key's SHA-256 is a fact; its value is shown once and kept nowhere. */
  ApiKeyCreated: defineEvent('ApiKeyCreated', {
    keyId: z.string(),
    name: z.string(),
    kind: z.enum(['secret', 'public']),
    appId: z.string().nullable(),
    sha256: z.string(),
    prefix: z.string(),
    last4: z.string(),
    scopes: z.array(z.enum(['read'])),
    expiresAt: instant.nullable(),
  }),
  ApiKeyDeleted: defineEvent('ApiKeyDeleted', { keyId: z.string(), sha256: z.string() }),
};
export type ProjectEvent = EventOf<typeof projectEvents>;
type DataOf<T extends ProjectEvent['type']> = Extract<ProjectEvent, { type: T }>['data'];

export type App = DataOf<'AppRegistered'>;
export type Project = {
  readonly projectId: string;
  readonly transferBehavior: TransferBehavior;
  readonly apps: readonly App[];
  readonly keys: readonly { readonly keyId: string; readonly sha256: string }[];
};

export type ProjectCommand =
  | { readonly kind: 'create'; readonly project: DataOf<'ProjectCreated'> }
  | { readonly kind: 'registerApp'; readonly app: App }
  | { readonly kind: 'createApiKey'; readonly key: DataOf<'ApiKeyCreated'> }
  | { readonly kind: 'deleteApiKey'; readonly keyId: string };

const MAX_APPS = 100;
const MAX_KEYS = 100;

export const projectDecider: Decider<Project | null, ProjectCommand, ProjectEvent> = {
  initial: () => null,
  evolve,
  decide,
};

function evolve(state: Project | null, event: ProjectEvent): Project | null {
  if (event.type === 'ProjectCreated') {
    const { projectId, transferBehavior: behaviour } = event.data;
    return { projectId, transferBehavior: behaviour, apps: [], keys: [] };
  }
  if (!state) return state;
  switch (event.type) {
    case 'AppRegistered':
      return { ...state, apps: [...state.apps, event.data] };
    case 'ApiKeyCreated':
      return { ...state, keys: [...state.keys, { keyId: event.data.keyId, sha256: event.data.sha256 }] };
    case 'ApiKeyDeleted':
      return { ...state, keys: state.keys.filter((k) => k.keyId !== event.data.keyId) };
    default:
      return state;
  }
}

function decide(c: ProjectCommand, state: Project | null): ProjectEvent[] {
  if (c.kind === 'create') {
    return state ? [] : [projectEvents.ProjectCreated.of(c.project)];
  }
  if (!state) throw new Rejection('missing', 'project-unknown', 'no such project');
  switch (c.kind) {
    case 'registerApp':
      return registerApp(c.app, state);
    case 'createApiKey':
      return createApiKey(c.key, state);
    case 'deleteApiKey': {
      const key = state.keys.find((k) => k.keyId === c.keyId);
      if (!key) throw new Rejection('missing', 'api-key-unknown', 'no such API key in this project');
      return [projectEvents.ApiKeyDeleted.of(key)];
    }
  }
}

function registerApp(app: App, state: Project): ProjectEvent[] {
  if (state.apps.some((a) => a.appId === app.appId)) return [];
  if (state.apps.some((a) => a.store === app.store && a.storeIdentifier === app.storeIdentifier)) {
    const field = app.platform === 'ios' ? 'bundleId' : 'packageName';
    throw new Rejection('conflict', 'app-exists', `${field} is taken by another app of this project; use that one`);
  }
  if (state.apps.length >= MAX_APPS)
    throw new Rejection('conflict', 'too-many-apps', `a project holds at most ${MAX_APPS} apps`);
  return [projectEvents.AppRegistered.of(app)];
}

function createApiKey(key: DataOf<'ApiKeyCreated'>, state: Project): ProjectEvent[] {
  if (state.keys.some((k) => k.keyId === key.keyId)) return [];
  if (state.keys.length >= MAX_KEYS) {
    throw new Rejection('conflict', 'too-many-keys', `a project holds at most ${MAX_KEYS} API keys; delete one first`);
  }
  if (key.appId !== null && !state.apps.some((a) => a.appId === key.appId)) {
    throw new Rejection('invalid', 'app-unknown', 'appId is not an app of this project');
  }
  return [projectEvents.ApiKeyCreated.of(key)];
}
