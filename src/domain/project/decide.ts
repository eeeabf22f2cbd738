// The rules of a project, its apps and its API keys.
import { Rejection, type Decider } from '../decider.js';
import { projectEvents, type App, type ProjectData, type ProjectEvent } from './events.js';
import { evolveProject, type Project } from './state.js';

export type ProjectCommand =
  | { readonly kind: 'create'; readonly project: ProjectData<'ProjectCreated'> }
  | { readonly kind: 'registerApp'; readonly app: App }
  | { readonly kind: 'createApiKey'; readonly key: ProjectData<'ApiKeyCreated'> }
  | { readonly kind: 'deleteApiKey'; readonly keyId: string };

const MAX_APPS = 100;
const MAX_KEYS = 100;

export const projectDecider: Decider<Project | null, ProjectCommand, ProjectEvent> = {
  initial: () => null,
  evolve: evolveProject,
  decide,
};

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

function createApiKey(key: ProjectData<'ApiKeyCreated'>, state: Project): ProjectEvent[] {
  if (state.keys.some((k) => k.keyId === key.keyId)) return [];
  if (state.keys.length >= MAX_KEYS) {
    throw new Rejection('conflict', 'too-many-keys', `a project holds at most ${MAX_KEYS} API keys; delete one first`);
  }
  if (key.appId !== null && !state.apps.some((a) => a.appId === key.appId)) {
    throw new Rejection('invalid', 'app-unknown', 'appId is not an app of this project');
  }
  return [projectEvents.ApiKeyCreated.of(key)];
}
