// Creates and deletes named chart replays: charts as of an instant or under other rules, read with `?replay=`.
import { readConfig } from '../../adapters/configuration/config.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { chartReplayCollection, setChartReplay, type ChartReplay } from '../../commands/projects/chart-replays.js';
import { REPLAY_NAME, whatIfSchema, type WhatIf } from '../../domain/charts/what-if.js';
import { logPosition } from '../../domain/envelope.js';
import { families } from '../../domain/streams.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { Failure, WrongUse, printResult } from '../support/outcome.js';
import { readInstant } from '../support/arguments.js';
import { onService } from '../support/on-service.js';
import { withReading } from '../support/open-for-reading.js';

export type ChartReplayOptions = {
  readonly until?: string;
  readonly whatIf?: readonly string[];
  readonly project?: string;
  readonly json?: true;
};

export async function replayCharts(name: string, o: ChartReplayOptions, signal: AbortSignal): Promise<void> {
  const whatIf = readWhatIf(o.whatIf ?? []);
  expectName(name);
  await withReading(async ({ log }) => {
    const until = o.until === undefined ? null : await readUntil(log, o.until, signal);
    const replay = await set(name, o.project, { until, whatIf });
    if (!replay) throw new Failure(`${name} was deleted in the meantime; create it again`);
    const warning = await describeEmpty(log, replay, signal);
    if (warning !== null) process.stderr.write(`${warning}\n`);
    printResult(o, replay, [`${name} created; read it with ?replay=${name}`]);
  });
}

export async function deleteReplay(name: string, { project }: Pick<ChartReplayOptions, 'project'>): Promise<void> {
  expectName(name);
  await set(name, project, null);
  process.stdout.write(`${name} deleted.\n`);
}

function set(
  name: string,
  projectId: string | null = null,
  replay: Pick<ChartReplay, 'until' | 'whatIf'> | null,
): Promise<ChartReplay | null> {
  const runtime = systemRuntime();
  const request = { kind: 'replay' as const, projectId, name, replay };
  return onService(readConfig(process.env), runtime, request, async ({ docs }) => {
    await docs.ensure([chartReplayCollection]);
    return setChartReplay({ docs, runtime }, request);
  });
}

/** Returns a warning for an empty replay, whose zeros would look like real figures. */
async function describeEmpty(
  log: EventLog,
  { name, projectId, endsAt }: ChartReplay,
  signal: AbortSignal,
): Promise<string | null> {
  const of = projectId === null ? '' : ` of ${projectId}`;
  for await (const { events, caughtUp } of log.follow({
    ...{ after: 'start', families: customerHistories.families, max: 500, signal },
  })) {
    const first = events.find(({ meta }) => projectId === null || meta.projectId === projectId);
    if (first && first.meta.recordedAt < endsAt) return null;
    if (first) {
      const firstEvent = `${first.meta.recordedAt}, position ${Number(first.position)}`;
      return `warning: ${name} is empty: the first event${of} was recorded at ${firstEvent}; give a later --until`;
    }
    if (caughtUp) break;
  }
  return `warning: ${name} is empty: there are no events${of}`;
}

/** Converts a position of the log to the recording time of the next event; null at the end of the log. */
async function readUntil(log: EventLog, text: string, signal: AbortSignal): Promise<string | null> {
  if (/^\d{1,20}$/.test(text)) {
    const after = logPosition(text);
    for await (const { events, caughtUp } of log.follow({ after, families, max: 1, signal })) {
      const [next] = events;
      if (next) return next.meta.recordedAt;
      if (caughtUp) break;
    }
    return null;
  }
  const instant = readInstant(text);
  if (instant !== null) return instant;
  throw new WrongUse(`--until ${text}: give an instant such as 2026-04-13T00:00:00Z, or a position of the log`);
}

function readWhatIf(texts: readonly string[]): WhatIf {
  return Object.assign({}, ...texts.map(readRule));
}

function readRule(text: string): WhatIf {
  const [key = '', value = ''] = text.split('=');
  const rule = { [key]: key === 'commission' && /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? Number(value) : value };
  const read = whatIfSchema.safeParse(rule);
  if (read.success && key !== '') return read.data;
  throw new WrongUse(
    `--what-if ${text}: give refundPolicy=keep_until_expiry, refundPolicy=revoke_immediately, or commission= and a share from 0 to 1`,
  );
}

function expectName(name: string): void {
  if (!REPLAY_NAME.test(name)) throw new WrongUse(`${name}: use lower-case letters, digits, - and _, at most 64`);
}
