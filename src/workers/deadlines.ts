// Makes the passing of time visible. Access ends by itself; this appends the facts that webhooks, timelines and charts need.
import type { Logger } from 'pino';
import type { Deps } from '../commands/deps.js';
import { runCommand } from '../commands/run-command.js';
import { streams } from '../domain/streams.js';
import { subscriberDecider } from '../domain/subscriber/decide.js';
import { isoFromMs } from '../domain/time.js';
import { customers, type DeadlineDoc } from '../projections/customers.js';
import type { Progress } from '../projections/progress.js';
import type { Views } from '../projections/views.js';
import { superviseLoop } from './supervise.js';

export type DeadlineDeps = {
  readonly deps: Deps;
  readonly views: Views;
  readonly progress: Progress;
  readonly logger: Logger;
  /** How long after an end the store may still speak first, in ms. */
  readonly slackMs: number;
};

const EVERY_MS = 1000;
const BATCH = 200;

/** Runs until the signal aborts. */
export function runDeadlines(o: DeadlineDeps, signal: AbortSignal): Promise<void> {
  const { deps, logger } = o;
  const { runtime } = deps;
  return superviseLoop('deadlines', { runtime, logger }, signal, async () => {
    const settled = await settleDue(o, 'store', o.slackMs, signal);
    const ended = await settleDue(o, 'none', 0, signal);
    if (settled + ended > 0) logger.info({ settled, ended }, 'deadlines settled');
    await runtime.sleep(EVERY_MS, signal);
  });
}

/** Settles all that is due in the order of its deadline; returns how many facts that made. */
export async function settleDue(
  o: Omit<DeadlineDeps, 'logger' | 'slackMs'>,
  slack: DeadlineDoc['slack'],
  slackMs: number,
  signal: AbortSignal,
): Promise<number> {
  const dueBefore = isoFromMs(o.deps.runtime.now() - slackMs);
  let facts = 0;
  let after: string | undefined;
  do {
    const scan = { index: 'due', eq: [slack], to: dueBefore, limit: BATCH, ...(after !== undefined && { after }) };
    const page = await o.views.scanDerived<DeadlineDoc>(customers, 'deadlines', scan);
    const counts = await Promise.all(page.rows.map(({ doc }) => settle(o.deps, doc, dueBefore)));
    facts += counts.reduce((a, b) => a + b, 0);
    after = page.next;
  } while (after !== undefined && !signal.aborted);
  return facts;
}

async function settle(deps: Deps, due: DeadlineDoc, dueBefore: string): Promise<number> {
  const { projectId, customerId, target, kind, dueAt } = due;
  const stream = streams.subscriber(projectId, customerId);
  const commandId = `x|${target}|${dueAt}|${kind}`;
  const ctx = { commandId, correlationId: commandId, actor: { kind: 'system' as const, id: 'deadlines' }, projectId };
  const command = { kind: 'settle' as const, target, expectedAt: dueAt, dueBefore };
  const work = () => runCommand(deps, stream, subscriberDecider, [command], ctx);
  const { eventIds } = await deps.lanes.run(stream, work);
  return eventIds.length;
}
