// Health report of the service: availability of both stores, lag, parked and halted work, due deliveries.
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecords, scanPages } from '../../adapters/documents/records.js';
import { START, type EventLog } from '../../adapters/event-log/port.js';
import { Unavailable } from '../../domain/errors.js';
import type { GaugeValue } from '../../adapters/metrics/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { deliveryCollection } from '../../commands/webhooks/deliveries.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { lagSeconds, type Progress } from '../../projections/runtime/progress.js';
import { parkedCollection } from '../../projections/runtime/parked.js';
import { collectionOf, type Projection } from '../../projections/runtime/projection.js';
import type { Serving } from '../../projections/rebuild/serving.js';
import { leaseCollection } from './lease.js';
import { parkedEventCollection } from '../../commands/handling/parked-events.js';
import { reactionCheckpointCollection, type Reaction } from '../reactions/reaction.js';
import type { Sender } from '../webhooks/sender.js';

export type HealthSources = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly progress: Progress;
  readonly serving: Serving;
  readonly projections: readonly Projection[];
  /** Reactions that this process runs, or stands by for. */
  readonly reactions: readonly Pick<Reaction, 'name' | 'families'>[];
  /** Work that made no progress in this process although events wait; another process may hold its lease now. */
  readonly stalled: readonly string[];
  readonly sending: ReturnType<Sender['stats']>;
  /** Returns the free bytes on the data disk; null when there is none, or its directory is missing. */
  readonly diskFree: () => Promise<number | null>;
  /** Id of this process; null for a single process, which runs all singleton workers without leases. */
  readonly processId: string | null;
};

/** Free space below which the disk is reported as nearly full. */
export const LOW_DISK_BYTES = 256 * 2 ** 20;

/** Seconds by name. */
type Lags = Readonly<Record<string, number>>;
type Counts = Readonly<Record<string, number>>;

/** Availability of a store. `unwritable`: readable, but not writable. */
type DependencyState = 'up' | 'unwritable' | 'away';

/** Health of the service; values that cannot be read while a store is unavailable are null. */
export type HealthReport = {
  /**
   * `away`: a store does not respond or is not writable. `stalled`: work of this process makes no progress although events wait.
   * `attention`: something was parked or has halted, or the disk is nearly full, and an operator must act.
   */
  readonly status: 'ok' | 'attention' | 'stalled' | 'away';
  readonly at: string;
  readonly dependencies: { readonly log: DependencyState; readonly documents: DependencyState };
  /** Reasons why a store is not writable. */
  readonly refusals: readonly string[];
  /** Free bytes on the data disk; null when no data is stored in files. */
  readonly diskFreeBytes: number | null;
  readonly lagSeconds: { readonly projections: Lags; readonly reactions: Lags } | null;
  readonly parkedEvents: Counts | null;
  readonly parkedDocuments: Counts | null;
  readonly haltedProjections: readonly string[];
  /** Projector and reactions of this process that make no progress although events wait. */
  readonly stalled: readonly string[];
  readonly webhooks: {
    readonly oldestDueSeconds: number | null;
    readonly inFlight: number;
    readonly openBreakers: number;
  };
  /** Leases that this process holds. */
  readonly leases: readonly string[] | null;
};

export async function reportHealth(o: HealthSources): Promise<HealthReport> {
  const { log, docs, runtime, sending } = o;
  const [head, leases, logRefusal, documentsRefusal, diskFreeBytes] = await Promise.all([
    ifAvailable(() => log.head()),
    ifAvailable(() => leasesOf(o)),
    findWriteRefusal(log.local),
    findWriteRefusal(docs.local),
    o.diskFree(),
  ]);
  const isUp = head !== null && leases !== null;
  const stalled = o.stalled.filter((name) => !leases?.ofOthers.includes(name));
  const refusals = [logRefusal, documentsRefusal].filter((refusal) => refusal !== null);
  const [lags, parkedEvents, parkedDocuments, oldestDue] = await Promise.all([
    isUp ? ifAvailable(() => lagsOf(o, leases.own)) : null,
    ifAvailable(() => countBy(docs, parkedEventCollection.name, 'reaction')),
    ifAvailable(() => parkedDocumentsOf(o)),
    ifAvailable(() => oldestDueSeconds(o)),
  ]);
  const haltedProjections = o.progress.haltedReadModels();
  const counts = [...Object.values(parkedEvents ?? {}), ...Object.values(parkedDocuments ?? {})];
  const isLow = diskFreeBytes !== null && diskFreeBytes < LOW_DISK_BYTES;
  const needsSomebody = isLow || haltedProjections.length > 0 || counts.some((n) => n > 0);
  const stateOf = (isThere: boolean, refusal: string | null) => {
    return isThere ? (refusal === null ? 'up' : 'unwritable') : 'away';
  };
  return {
    status: statusOf({ isUsable: isUp && refusals.length === 0, isStalled: stalled.length > 0, needsSomebody }),
    at: isoFromMs(runtime.now()),
    dependencies: {
      log: stateOf(head !== null, logRefusal),
      documents: stateOf(leases !== null, documentsRefusal),
    },
    refusals,
    diskFreeBytes,
    lagSeconds: lags,
    parkedEvents,
    parkedDocuments,
    haltedProjections,
    stalled,
    webhooks: { oldestDueSeconds: oldestDue, inFlight: sending.inFlight, openBreakers: sending.openBreakers },
    leases: leases?.own ?? null,
  };
}

function statusOf(o: {
  readonly isUsable: boolean;
  readonly isStalled: boolean;
  readonly needsSomebody: boolean;
}): HealthReport['status'] {
  if (!o.isUsable) return 'away';
  if (o.isStalled) return 'stalled';
  return o.needsSomebody ? 'attention' : 'ok';
}

/** Returns the report as gauges. Unknown values are omitted. */
export function toGaugeValues(report: HealthReport): readonly GaugeValue[] {
  const one = (name: GaugeValue['name'], value: number | null): GaugeValue[] =>
    value === null ? [] : [{ name, labels: {}, value }];
  const each = (name: GaugeValue['name'], values: Counts | null | undefined): GaugeValue[] =>
    Object.entries(values ?? {}).map(([label, value]) => ({ name, labels: { name: label }, value }));
  const { dependencies, lagSeconds: lags, webhooks } = report;
  const up = Object.entries(dependencies).map(([dependency, state]): GaugeValue => {
    return { name: 'dependency_up', labels: { dependency }, value: state === 'up' ? 1 : 0 };
  });
  return [
    ...up,
    ...each('projection_lag_seconds', lags?.projections),
    ...each('reaction_lag_seconds', lags?.reactions),
    ...each('projection_halted', ones(report.haltedProjections)),
    ...each('projection_parked_streams', report.parkedDocuments),
    ...each('reaction_parked_events', report.parkedEvents),
    ...one('disk_free_bytes', report.diskFreeBytes),
    ...one('webhook_oldest_due_seconds', webhooks.oldestDueSeconds),
    ...one('webhook_in_flight', webhooks.inFlight),
    ...one('webhook_open_breakers', webhooks.openBreakers),
    ...each('lease_held', ones(report.leases ?? [])),
  ];
}

function ones(names: readonly string[]): Counts {
  return Object.fromEntries(names.map((name) => [name, 1]));
}

/** Returns why a local store is not writable; null when it is, and for a server, whose availability is visible from reads. */
async function findWriteRefusal(local: { probe(): Promise<void> } | null): Promise<string | null> {
  try {
    await local?.probe();
    return null;
  } catch (err) {
    if (err instanceof Unavailable) return err.message;
    throw err;
  }
}

/** Returns null while the store is unavailable. */
function ifAvailable<T>(work: () => Promise<T>): Promise<T | null> {
  return work().catch((err: unknown) => {
    if (err instanceof Unavailable) return null;
    throw err;
  });
}

/** Returns the names of the leases of this process and of other processes. */
async function leasesOf({ docs, processId }: HealthSources) {
  const { rows } = await docs.scan(leaseCollection.name, { index: 'id', eq: [], limit: 1000 });
  const namesOf = (isWanted: (owner: unknown) => boolean) =>
    rows.filter(({ doc }) => isWanted(doc['owner'])).map(({ id }) => id);
  return {
    own: namesOf((owner) => owner === processId),
    ofOthers: namesOf((owner) => owner !== processId && owner !== ''),
  };
}

/** Returns the lags, of reactions only those that run here: another process reports its own. */
async function lagsOf(o: HealthSources, leases: readonly string[]) {
  const { log, docs, progress, runtime } = o;
  const running = o.reactions.filter(({ name }) => o.processId === null || leases.includes(name));
  const checkpoints = await readRecords(
    docs,
    reactionCheckpointCollection.name,
    running.map((r) => r.name),
  );
  const saved = (name: string) => checkpoints.get(name)?.position;
  const lag = async ({ name, families }: Pick<Reaction, 'name' | 'families'>) => {
    const position = progress.at(name) ?? saved(name) ?? START;
    return [name, await lagSeconds(log, { families, position }, runtime.now())] as const;
  };
  const [projections, reactions] = await Promise.all([
    Promise.all(o.projections.map(lag)),
    Promise.all(running.map(lag)),
  ]);
  return { projections: Object.fromEntries(projections), reactions: Object.fromEntries(reactions) };
}

async function parkedDocumentsOf({ docs, serving, projections }: HealthSources): Promise<Counts> {
  const counts = await countBy(docs, parkedCollection.name, 'build');
  const count = async (projection: Projection) =>
    [projection.name, counts[collectionOf(await serving.build(projection))] ?? 0] as const;
  return Object.fromEntries((await Promise.all(projections.map(count))).filter(([, n]) => n > 0));
}

async function countBy(docs: DocStore, c: string, field: string): Promise<Counts> {
  const counts: Record<string, number> = {};
  for await (const rows of scanPages({ index: 'id', eq: [], limit: 1000 }, (scan) => docs.scan(c, scan))) {
    for (const { doc } of rows) counts[String(doc[field])] = (counts[String(doc[field])] ?? 0) + 1;
  }
  return counts;
}

async function oldestDueSeconds({ docs, runtime }: HealthSources): Promise<number> {
  const first = (gate: string) => docs.scan(deliveryCollection.name, { index: 'due', eq: [gate], limit: 1 });
  const pages = await Promise.all(['lane', 'late'].map(first));
  const now = runtime.now();
  const waited = pages.flatMap(({ rows }) => rows.map(({ doc }) => now - msFromIso(String(doc['dueAt']))));
  return Math.max(0, ...waited) / 1000;
}
