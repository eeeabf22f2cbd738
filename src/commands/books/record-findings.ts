// Records what the comparison of a month with its reports found, each finding once.
import { findingsDecider, type FindingsCommand } from '../../domain/books/findings.js';
import { streams } from '../../domain/streams.js';
import { commandIds } from '../handling/command-ids.js';
import type { Deps } from '../handling/deps.js';
import { runCommands } from '../handling/run-command.js';

/** Safe to repeat. `causationId`: the event that made the comparison necessary, if there is one. */
export async function recordFindings(
  deps: Deps,
  o: { readonly projectId: string; readonly findings: readonly FindingsCommand[]; readonly causationId?: string },
): Promise<void> {
  const { projectId, findings, causationId } = o;
  if (findings.length === 0) return;
  const stream = streams.bookFindings(projectId);
  const parts = findings.map((finding) => ({ commandId: commandIdOf(projectId, finding), commands: [finding] }));
  const ctx = {
    actor: { kind: 'system' as const, id: 'books' },
    correlationId: causationId ?? commandIds.booksCompared(projectId),
    ...(causationId !== undefined && { causationId }),
    projectId,
  };
  await deps.mutex.run(stream, () => runCommands(deps, stream, findingsDecider, parts, ctx));
}

function commandIdOf(projectId: string, finding: FindingsCommand): string {
  return finding.kind === 'recordCompletion'
    ? commandIds.monthCompleted(projectId, finding.completed.month)
    : commandIds.linesMissing(finding.missing.reportId);
}
