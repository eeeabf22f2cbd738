// A copy of read models under a name, from the events up to an instant or under other rules; never served.
import type { DocStore } from '../../adapters/documents/port.js';
import { replayCollection, replayInfoId, type ReplayInfo } from '../../adapters/replays/info.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import { families } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { supposing, type WhatIf } from '../queries/what-if.js';
import { collectionOf, type Build, type Projection } from '../runtime/projection.js';
import { bulkBuild, canBulkBuild } from './bulk-build.js';
import { stepwiseBuild } from './stepwise-build.js';

const FIRST = 1;

export type Until = { readonly position?: LogPosition; readonly instant?: string };
/** `projectId` null: of all projects. */
export type CopyTerms = {
  readonly name: string;
  readonly until: Until;
  readonly whatIf: WhatIf;
  readonly projectId: string | null;
};
export type CopyDeps = {
  readonly log: EventLog;
  readonly hash: KeyedHash;
  readonly runtime: Pick<Runtime, 'now' | 'newId'>;
};
export type CopyOptions = {
  readonly signal: AbortSignal;
  /** Of the code that folds: a build that other code began is begun anew. */
  readonly fingerprint: string;
  readonly onProgress: (done: number, total: number) => void;
};

export function copyBuilds(projections: readonly Projection[]): readonly Build[] {
  return projections.map((projection) => ({ projection, generation: FIRST }));
}

/** Fills `docs`, going on with the same copy that was cut. Throws `CannotFold`, and a plain error once the signal aborts. */
export async function makeCopy(
  { log, hash, runtime }: CopyDeps,
  docs: DocStore,
  builds: readonly Build[],
  { name, until, whatIf, projectId }: CopyTerms,
  { signal, fingerprint, onProgress }: CopyOptions,
): Promise<ReplayInfo> {
  const see = seenAs(until, whatIf, projectId);
  let [events, last] = [0, ''];
  const build = canBulkBuild({ log, docs }) ? bulkBuild : stepwiseBuild;
  const position = await build({ log, docs, hash, runtime }, builds, {
    signal,
    seenAs: (event) => {
      const seen = see(event);
      // Events may be read twice, and are in the order of the log the first time.
      if (seen && event.position > last) [events, last] = [events + 1, event.position];
      return seen;
    },
    onProgress,
    purpose: JSON.stringify([until, whatIf, projectId, fingerprint]),
    ...(until.position !== undefined && { upTo: until.position }),
  });
  const info: ReplayInfo = {
    name,
    readModels: builds.map((b) => b.projection.name),
    collections: builds.map((b) => collectionOf(b)),
    until: until.instant ?? null,
    endsAt: earlier(until.instant, await knownUntil(log, position, runtime, signal)),
    position,
    projectId,
    whatIf: { ...whatIf },
    madeAt: isoFromMs(runtime.now()),
    events,
  };
  await docs.bulk?.begin([replayCollection]);
  await docs.bulk?.put([{ c: replayCollection.name, id: replayInfoId, guard: '1', doc: info }]);
  return info;
}

/** The first instant that a log up to `position` does not cover: when the next event was recorded, or now. */
async function knownUntil(
  log: EventLog,
  position: LogPosition,
  { now }: Pick<Runtime, 'now'>,
  signal: AbortSignal,
): Promise<string> {
  for await (const { events, caughtUp } of log.follow({ after: position, families, max: 1, signal })) {
    const [next] = events;
    if (next) return next.meta.recordedAt;
    if (caughtUp) break;
  }
  return isoFromMs(now());
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
