// Commands on the annotations of a project.
import type { LogPosition } from '../../domain/envelope.js';
import { projectDecider, type ProjectCommand } from '../../domain/project/decide.js';
import type { ProjectData } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';

export type NewAnnotation = Omit<ProjectData<'AnnotationAdded'>, 'annotationId'>;
/** Created or deleted annotation, and the log position from which read models reflect it. */
type WriteResult<T = object> = Promise<T & { readonly position: LogPosition | null }>;

/** Throws `Rejection` when the project has the maximum number of annotations. */
export async function addAnnotation(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: NewAnnotation,
): WriteResult<{ annotationId: string }> {
  const annotationId = deps.runtime.newId('ann');
  const { position } = await run(deps, by, projectId, { kind: 'addAnnotation', annotation: { annotationId, ...o } });
  return { annotationId, position };
}

/** Throws `Rejection` when it does not exist. */
export async function deleteAnnotation(
  deps: Deps,
  by: Requester,
  projectId: string,
  annotationId: string,
): WriteResult {
  const { position } = await run(deps, by, projectId, { kind: 'deleteAnnotation', annotationId });
  return { position };
}

function run(deps: Deps, by: Requester, projectId: string, command: ProjectCommand) {
  const stream = streams.project(projectId);
  return deps.mutex.run(stream, () =>
    runCommand(deps, stream, projectDecider, [command], contextOf(by, projectId), deps.projects.load),
  );
}
