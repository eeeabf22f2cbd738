// Processing of deadlines. Access expires by itself; this appends the events that webhooks, timelines and charts need.
import { commandIds } from '../../commands/handling/command-ids.js';
import { scanPages } from '../../adapters/documents/records.js';
import type { Logger } from 'pino';
import { Unavailable } from '../../domain/errors.js';
import type { Deps } from '../../commands/handling/deps.js';
import { runCommand } from '../../commands/handling/run-command.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { isoFromMs } from '../../domain/time.js';
import { customers, type DeadlineDoc } from '../../projections/models/customers.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { CheckStore } from './check-store.js';
import { superviseRounds } from '../coordination/supervise.js';

export type DeadlineDeps = {
  readonly deps: Deps;
  readonly readModels: ReadModels;
  readonly logger: Logger;
  /** Time to wait after an expiry for a message of the store, in ms. */
  readonly slackMs: number;
  /** Asks the store before an expiry that it may contradict. */
  readonly checkStore: CheckStore;
};

const INTERVAL_MS = 1000;
const BATCH = 200;

/** Runs until the signal aborts. No deadline is processed while `isHeld` returns true. */
export function runDeadlines(o: DeadlineDeps, signal: AbortSignal, isHeld: () => boolean): Promise<void> {
  const { deps, logger } = o;
  const { runtime } = deps;
  return superviseRounds('deadlines', INTERVAL_MS, { runtime, logger }, signal, () =>
    isHeld() ? Promise.resolve() : processAllDeadlines(o, signal),
  );
}

/** Processes all deadlines that are due at the current time. */
export async function processAllDeadlines(o: DeadlineDeps, signal: AbortSignal): Promise<void> {
  const passed = await processDeadlines(o, 'store', o.slackMs, signal);
  const processed = await processDeadlines(o, 'none', 0, signal);
  if (passed + processed > 0) o.logger.info({ passed, ended: processed }, 'deadlines processed');
}

/**
 * Processes all deadlines that are due, in order; returns the number of events appended. A failing deadline is retried in the next round:
 * it must not delay the others.
 */
export async function processDeadlines(
  o: Pick<DeadlineDeps, 'deps' | 'readModels' | 'logger' | 'checkStore'>,
  slack: DeadlineDoc['slack'],
  slackMs: number,
  signal: AbortSignal,
): Promise<number> {
  const dueBefore = isoFromMs(o.deps.runtime.now() - slackMs);
  const head = await o.deps.log.head();
  let events = 0;
  const due = { index: 'due', eq: [slack], to: dueBefore, limit: BATCH };
  const pages = scanPages(due, (scan) => o.readModels.scanDerived<DeadlineDoc>(customers, 'deadlines', scan));
  for await (const rows of pages) {
    const counts = await Promise.all(rows.map(({ doc }) => processDeadline(o, doc, dueBefore, head)));
    events += counts.reduce((a, b) => a + b, 0);
    if (signal.aborted) break;
  }
  return events;
}

async function processDeadline(
  { deps, logger, checkStore }: Pick<DeadlineDeps, 'deps' | 'logger' | 'checkStore'>,
  due: DeadlineDoc,
  dueBefore: string,
  head: LogPosition,
): Promise<number> {
  const { projectId, customerId, target, kind, dueAt } = due;
  const stream = streams.subscriber(projectId, customerId);
  const commandId = commandIds.deadline(target, dueAt, kind);
  const ctx = { commandId, correlationId: commandId, actor: { kind: 'system' as const, id: 'deadlines' }, projectId };
  const command = { kind: 'passDeadline' as const, target, expectedAt: dueAt, dueBefore };
  const passOne = () => runCommand(deps, stream, subscriberDecider, [command], ctx);
  try {
    if (due.slack === 'store' && (await checkStore(due)) === 'later') return 0;
    const { eventIds, position } = await deps.mutex.run(stream, passOne);
    // The read model may still list a deadline that an earlier round processed; the command then returns the events of that round.
    return position !== null && position > head ? eventIds.length : 0;
  } catch (err) {
    if (err instanceof Unavailable) throw err;
    logger.error(
      { stream, target, stack: err instanceof Error ? err.stack : String(err) },
      'could not process deadline',
    );
    return 0;
  }
}
