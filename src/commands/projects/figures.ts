// Watched figures of charts: which they are, and the days on which they left their usual band.
import type { LogPosition } from '../../domain/envelope.js';
import { projectDecider, type ProjectCommand } from '../../domain/project/decide.js';
import type { ProjectData } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { commandIds } from '../handling/command-ids.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand, type CommandContext } from '../handling/run-command.js';

export async function watchFigure(
  deps: Deps,
  by: Requester,
  projectId: string,
  { chartId, isWatched }: { readonly chartId: string; readonly isWatched: boolean },
): Promise<{ readonly position: LogPosition | null }> {
  const kind = isWatched ? ('watchFigure' as const) : ('unwatchFigure' as const);
  const { position } = await run(deps, projectId, { kind, chartId }, contextOf(by, projectId));
  return { position };
}

/** Safe to repeat: a figure leaves its band at most once a day, whatever is known later. */
export async function recordFigureOutOfBand(
  deps: Deps,
  projectId: string,
  figure: ProjectData<'FigureLeftBand'>,
): Promise<void> {
  const commandId = commandIds.figureLeftBand(projectId, figure.chartId, figure.day);
  const actor = { kind: 'system' as const, id: 'figures' };
  const ctx = { commandId, correlationId: commandId, actor, projectId };
  await run(deps, projectId, { kind: 'recordFigureOutOfBand', figure }, ctx);
}

function run(deps: Deps, projectId: string, command: ProjectCommand, ctx: CommandContext) {
  const stream = streams.project(projectId);
  return deps.mutex.run(stream, () => runCommand(deps, stream, projectDecider, [command], ctx, deps.projects.load));
}
