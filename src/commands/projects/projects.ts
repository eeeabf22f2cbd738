// Commands on a project: create, change and delete it, its API keys and its annotations.
import type { LogPosition } from '../../domain/envelope.js';
import type { ProjectChanges, ProjectCommand } from '../../domain/project/decide.js';
import { isStoreApp, type ProjectData } from '../../domain/project/events.js';
import type { KeyScope } from '../../domain/project/roles.js';
import type { Project } from '../../domain/project/state.js';
import { streams } from '../../domain/streams.js';
import { makeApiKey, previewOf, sha256Of } from '../accounts/api-key.js';
import type { Deps, Requester } from '../handling/deps.js';
import { deleteReportSourcesOfProject } from '../books/report-sources.js';
import { deleteCredentialsOfProject } from './credentials.js';
import { checkKeyOfApp, claimKey } from './registered-keys.js';
import { runProjectCommand } from './run-project-command.js';

type Settings = Pick<Project, 'transferBehavior'> & {
  readonly sandboxAccess: 'anybody' | 'nobody';
  readonly displayCurrency: string;
  readonly timezone?: string;
  readonly isDemo?: boolean;
};
/** Created object, and the log position from which read models contain it. */
type WriteResult<T> = T & { readonly position: LogPosition | null };

export async function createProject(
  deps: Deps,
  by: Requester,
  o: { readonly name: string; readonly ownerId: string } & Settings,
): Promise<WriteResult<{ projectId: string }>> {
  const projectId = deps.runtime.newId('proj');
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'create', project: { projectId, ...o } });
  return { projectId, position };
}

export async function updateProject(
  deps: Deps,
  by: Requester,
  projectId: string,
  set: ProjectChanges,
): Promise<WriteResult<object>> {
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'update', set });
  return { position };
}

/** Makes the project and everything in it inaccessible. Deletes the secrets of its apps; retains its history. */
export async function deleteProject(deps: Deps, by: Requester, projectId: string): Promise<WriteResult<object>> {
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'delete' });
  await deleteCredentialsOfProject(deps, projectId);
  await deleteReportSourcesOfProject(deps, projectId);
  return { position };
}

type NewApiKey = {
  readonly name: string;
  readonly kind: 'secret' | 'public';
  readonly appId: string | null;
  /** An empty list means all scopes. */
  readonly scopes: readonly KeyScope[];
  readonly expiresAt: string | null;
  /** Public key that another service issued and that a published app contains; absent: a new one is generated. */
  readonly registered?: string | undefined;
};

/** `key`: the full value, returned only here. Throws `Rejection` for a registered key of another project or another store. */
export async function createApiKey(
  deps: Deps,
  by: Requester,
  projectId: string,
  { registered, ...o }: NewApiKey,
): Promise<WriteResult<{ keyId: string; key: string }>> {
  const keyId = deps.runtime.newId('key');
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find(({ appId }) => appId === o.appId);
  const key = registered ?? makeApiKey(app && !isStoreApp(app) ? 'test' : o.kind, deps.runtime);
  const fields = { keyId, sha256: sha256Of(key), ...previewOf(key) };
  if (registered !== undefined && app) checkKeyOfApp(registered, app);
  if (registered !== undefined) {
    const claims = { ...by, actor: { kind: 'system' as const, id: 'key claims' } };
    await claimKey(deps, { projectId, appId: o.appId }, fields.sha256, (holderId, heldId) =>
      deleteApiKey(deps, claims, holderId, heldId),
    );
  }
  const command: ProjectCommand = { kind: 'createApiKey', key: { ...o, scopes: [...o.scopes], ...fields } };
  const { position } = await runProjectCommand(deps, by, projectId, command);
  return { keyId, key, position };
}

export async function deleteApiKey(
  deps: Deps,
  by: Requester,
  projectId: string,
  keyId: string,
): Promise<WriteResult<object>> {
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'deleteApiKey', keyId });
  return { position };
}
/** Throws `Rejection` when the project has the maximum number of annotations. */
export async function addAnnotation(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<ProjectData<'AnnotationAdded'>, 'annotationId'>,
): Promise<WriteResult<{ annotationId: string }>> {
  const annotationId = deps.runtime.newId('ann');
  const { position } = await runProjectCommand(deps, by, projectId, {
    kind: 'addAnnotation',
    annotation: { annotationId, ...o },
  });
  return { annotationId, position };
}

/** Throws `Rejection` when it does not exist. */
export async function deleteAnnotation(
  deps: Deps,
  by: Requester,
  projectId: string,
  annotationId: string,
): Promise<WriteResult<object>> {
  const { position } = await runProjectCommand(deps, by, projectId, { kind: 'deleteAnnotation', annotationId });
  return { position };
}
