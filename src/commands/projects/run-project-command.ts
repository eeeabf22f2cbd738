// Runs one command of a project, one after another with its others.
import { projectDecider, type ProjectCommand } from '../../domain/project/decide.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';

/** Throws `Rejection`. */
export function runProjectCommand(deps: Deps, by: Requester, projectId: string, command: ProjectCommand) {
  const stream = streams.project(projectId);
  return deps.mutex.run(stream, () =>
    runCommand(deps, stream, projectDecider, [command], contextOf(by, projectId), deps.projects.load),
  );
}
