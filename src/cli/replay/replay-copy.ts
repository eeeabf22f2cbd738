// A copy of read models under a name, from the events up to an instant or under other rules. Only requests with `?replay=` read it.
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readConfig } from '../../adapters/config.js';
import { replayFile } from '../../adapters/data-directory.js';
import { openEmbeddedDocuments } from '../../adapters/documents/embedded/store.js';
import { replayCollection, replayInfoId, type ReplayInfo } from '../../adapters/documents/replays.js';
import { systemRuntime } from '../../adapters/runtime.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { families } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { bulkBuild } from '../../projections/build/bulk-build.js';
import { collectionOf, type Build } from '../../projections/runtime/projection.js';
import { supposing, type WhatIf } from '../../projections/queries/what-if.js';
import { Failure, WrongUse } from '../support/failure.js';
import { readInstant } from '../support/instant.js';
import { openForReading } from '../support/open-for-reading.js';
import { startProgressBar } from '../support/progress-bar.js';
import { projectionsNamed } from './replay-live.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const FIRST = 1;

type Until = { readonly position?: LogPosition; readonly instant?: string };

export type CopyOptions = {
  readonly as: string;
  readonly until?: string;
  readonly whatIf?: readonly string[];
  readonly project?: string;
  readonly json?: true;
};

export async function replayCopy(what: string, o: CopyOptions, signal: AbortSignal): Promise<void> {
  if (!NAME.test(o.as)) throw new WrongUse(`--as ${o.as}: use lower-case letters, digits, - and _, at most 64`);
  const until = untilOf(o.until);
  const rules = whatIfOf(o.whatIf ?? []);
  const { DATA_DIR, EVENTSTORE_URL } = readConfig(process.env);
  if (EVENTSTORE_URL !== undefined) {
    throw new Failure(
      'a copy is made from the log in DATA_DIR; this log is on a server: export it, and import it elsewhere',
    );
  }
  const file = replayFile(DATA_DIR, o.as);
  // Under its name only when it is whole: what is read under the name is never half a copy.
  const unfinished = `${file}.part`;
  const { info, warning } = await copyInto(unfinished, what, { ...o, until, rules }, signal);
  publish(unfinished, file);
  if (warning !== null) process.stderr.write(`${warning}\n`);
  process.stdout.write(
    o.json ? `${JSON.stringify(info, null, 2)}\n` : `${o.as} is there, read it with ?replay=${o.as}\n`,
  );
}

/** All is in the file by now: what lies beside it is empty, and of no use to anybody under the old name. */
function publish(unfinished: string, file: string): void {
  const wal = `${unfinished}-wal`;
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Failure(`${wal} still holds writes; run the replay again`);
  }
  renameSync(unfinished, file);
  for (const beside of [wal, `${unfinished}-shm`]) rmSync(beside, { force: true });
}

type Copy = { readonly as: string; readonly until: Until; readonly rules: WhatIf; readonly project?: string };

type Made = { readonly info: ReplayInfo; readonly warning: string | null };

async function copyInto(file: string, what: string, o: Copy, signal: AbortSignal): Promise<Made> {
  const { until, rules, project = null } = o;
  const builds = projectionsNamed(what).map((projection) => ({ projection, generation: FIRST }));
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const reading = await openForReading(process.env);
  const docs = await openEmbeddedDocuments({ file });
  try {
    const bar = startProgressBar(o.as, Number(await reading.log.head()), 'events');
    const see = seenAs(until, rules, project);
    let isEmpty = true;
    const position = await bulkBuild({ log: reading.log, docs, hash: reading.hash }, builds, {
      signal,
      seenAs: (event) => {
        const seen = see(event);
        if (seen) isEmpty = false;
        return seen;
      },
      onProgress: bar.reach,
      purpose: JSON.stringify([until, rules, project]),
      ...(until.position !== undefined && { upTo: until.position }),
    }).finally(() => bar.stop());
    const info: ReplayInfo = {
      name: o.as,
      readModels: builds.map((b) => b.projection.name),
      collections: builds.map((b) => collectionOf(b)),
      until: until.instant ?? null,
      endsAt: earlier(until.instant, await knownUntil(reading.log, position, signal)),
      position,
      projectId: project,
      whatIf: { ...rules },
      madeAt: isoFromMs(systemRuntime().now()),
    };
    await docs.bulk?.begin([replayCollection]);
    await docs.bulk?.put([{ c: replayCollection.name, id: replayInfoId, guard: '1', doc: info }]);
    return { info, warning: isEmpty ? await describeEmpty(reading.log, builds, info, signal) : null };
  } finally {
    await docs.close();
    await reading.close();
  }
}

/** Without this warning, zeros would pass for figures. */
async function describeEmpty(
  log: EventLog,
  builds: readonly Build[],
  { name, projectId }: ReplayInfo,
  signal: AbortSignal,
): Promise<string> {
  const of = projectId === null ? '' : ` of ${projectId}`;
  const shown = [...new Set(builds.flatMap((b) => b.projection.families))];
  for await (const { events, caughtUp } of log.follow({ after: 'start', families: shown, max: 500, signal })) {
    const first = events.find(({ meta }) => projectId === null || meta.projectId === projectId);
    if (first) {
      const when = `${first.meta.recordedAt}, position ${Number(first.position)}`;
      return `warning: ${name} is empty: the first event${of} was recorded at ${when}; give a later --until`;
    }
    if (caughtUp) break;
  }
  return `warning: ${name} is empty: nothing that it could show${of} is known`;
}

/** The first instant that a log up to `position` does not cover: when the next event was recorded, or now. */
async function knownUntil(log: EventLog, position: LogPosition, signal: AbortSignal): Promise<string> {
  for await (const { events, caughtUp } of log.follow({ after: position, families, max: 1, signal })) {
    const [next] = events;
    if (next) return next.meta.recordedAt;
    if (caughtUp) break;
  }
  return isoFromMs(systemRuntime().now());
}

function earlier(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b;
}

/** Facts that had not happened, or were not known, before the instant do not exist. */
function seenAs({ instant }: Until, rules: WhatIf, projectId: string | null) {
  const suppose = supposing(rules);
  return (event: RecordedEvent): RecordedEvent | null => {
    const { at, recordedAt } = event.meta;
    if (instant !== undefined && (at >= instant || recordedAt >= instant)) return null;
    if (projectId !== null && event.meta.projectId !== projectId) return null;
    return suppose(event);
  };
}

function untilOf(text: string | undefined): Until {
  if (text === undefined) return {};
  if (/^\d{1,20}$/.test(text)) return { position: text.padStart(20, '0') as LogPosition };
  const instant = readInstant(text);
  if (instant === null)
    throw new WrongUse(`--until ${text}: give an instant such as 2026-04-13T00:00:00Z, or a position of the log`);
  return { instant };
}

function whatIfOf(texts: readonly string[]): WhatIf {
  return Object.assign({}, ...texts.map(supposition)) as WhatIf;
}

function supposition(text: string): WhatIf {
  const [key, value = ''] = text.split('=');
  if (key === 'refundPolicy' && (value === 'keep_until_expiry' || value === 'revoke_immediately'))
    return { refundPolicy: value };
  if (key === 'commission' && /^(0(\.\d+)?|1(\.0+)?)$/.test(value)) return { commission: Number(value) };
  throw new WrongUse(
    `--what-if ${text}: give refundPolicy=keep_until_expiry, refundPolicy=revoke_immediately, or commission= and a share from 0 to 1`,
  );
}
