// Commands on the apps of a project: register them, change their settings, delete them with everything that belongs to them.
import type { LogPosition } from '../../domain/envelope.js';
import type { AppChanges } from '../../domain/project/decide-app.js';
import { isStoreApp, type App, type StoreApp } from '../../domain/project/events.js';
import { isTestStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { deleteStoredReportSource } from '../books/report-sources.js';
import { deleteProductsOfApp } from '../catalog/catalog.js';
import { deleteStoredCredentials } from './credentials.js';
import type { Deps, Requester } from '../handling/deps.js';
import type { CommandContext } from '../handling/run-command.js';
import { issueStoreToken } from './store-tokens.js';
import { runProjectCommand } from './run-project-command.js';

/** Created or changed app, and the log position from which read models contain it. */
type WriteResult<T = object> = Promise<T & { readonly position: LogPosition | null }>;

/** Returns undefined for an app that was deleted, and for one without a store of its own. */
export async function findStoreApp(
  { projects }: Pick<Deps, 'projects'>,
  projectId: string,
  appId: string,
): Promise<StoreApp | undefined> {
  const project = await projects.get(streams.project(projectId));
  return project?.apps.filter(isStoreApp).find((app) => app.appId === appId);
}

/** Issues the store token before the event: a crash in between leaves a token without an app, which is useless. */
export async function registerApp<A extends Omit<App, 'appId'>>(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: A,
): WriteResult<{ app: A & App }> {
  const app = { appId: deps.runtime.newId('app'), ...o };
  if (!isTestStore(app.store)) await issueStoreToken(deps, { projectId, appId: app.appId, store: app.store });
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'registerApp', app });
  return { app, position };
}

export function updateApp(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly appId: string; readonly set: AppChanges },
): WriteResult {
  return runProjectCommand(deps, by, projectId, { kind: 'updateApp', ...o });
}

/** Deletes the app, which also invalidates its store token. The cleanup runs here or, after a crash, in the worker. */
export async function deleteApp(deps: Deps, by: Requester, projectId: string, appId: string): WriteResult {
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'deleteApp', appId });
  const ctx = { actor: by.actor, correlationId: by.requestId };
  const { position: after } = await clearAfterApp(deps, projectId, appId, ctx);
  return { position: position === null || (after !== null && after > position) ? after : position };
}

/** Cleans up after a deleted app: deletes its products, its credentials and its report source. Repeats have no effect. */
export async function clearAfterApp(
  deps: Deps,
  projectId: string,
  appId: string,
  ctx: Omit<CommandContext, 'commandId' | 'projectId'>,
): WriteResult {
  await deleteStoredCredentials(deps, appId);
  await deleteStoredReportSource(deps, appId);
  return deleteProductsOfApp(deps, projectId, appId, ctx);
}
