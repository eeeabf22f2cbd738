// Request to read all notifications that the stores of a project retain, for a project whose history begins elsewhere.
import { Rejection } from '../../domain/errors.js';
import { isStoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import type { StoreDeps } from './store-integration.js';

/** Apps whose notifications are read in the background, as soon as they have credentials. */
export type PastNotificationsRequest = { readonly apps: readonly { readonly appId: string; readonly name: string }[] };

/** Adds one scan for each app of a store that retains notifications. Throws {@link Rejection} for an unknown project. */
export async function requestPastNotifications(deps: StoreDeps, projectId: string): Promise<PastNotificationsRequest> {
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', `project ${projectId} not found`);
  const apps: PastNotificationsRequest['apps'][number][] = [];
  for (const { appId, name, store } of project.apps.filter(isStoreApp)) {
    const { schedulePastNotifications } = deps.stores.of(store);
    if (!schedulePastNotifications) continue;
    await schedulePastNotifications(deps, projectId, appId);
    apps.push({ appId, name });
  }
  return { apps };
}
