// What the rules of a project need to know of it.
import type { App, ProjectEvent, TransferBehavior } from './events.js';

export type Project = {
  readonly projectId: string;
  readonly transferBehavior: TransferBehavior;
  readonly apps: readonly App[];
  readonly keys: readonly { readonly keyId: string; readonly sha256: string }[];
};

export function evolveProject(state: Project | null, event: ProjectEvent): Project | null {
  if (event.type === 'ProjectCreated') {
    const { projectId, transferBehavior } = event.data;
    return { projectId, transferBehavior, apps: [], keys: [] };
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
