// Work of each role: the projector, the reactions with their due tasks, and operator requests; waiting for idleness, and shutdown.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Config, Role } from '../adapters/configuration/config.js';
import type { Engine } from '../adapters/engine/engine.js';
import type { ReportFiles } from '../adapters/books/port.js';
import { openReportFile } from '../adapters/books/report-files.js';
import { createImportUploads } from '../adapters/imports/uploads.js';
import type { Runtime } from '../adapters/runtime.js';
import type { AttemptFeed } from '../commands/webhooks/attempts.js';
import type { ImportFiles } from '../commands/imports/run-import.js';
import type { StoreDeps } from '../commands/stores/store-integration.js';
import type { Live } from '../http/live/live-feeds.js';
import { createHandover } from '../projections/rebuild/adopt-build.js';
import type { Progress } from '../projections/runtime/progress.js';
import { projections } from '../projections/rebuild/registry.js';
import type { Books } from '../projections/books/books.js';
import type { Serving } from '../projections/rebuild/serving.js';
import type { ReadModels } from '../projections/queries/read-models.js';
import { runFigureWatch, type FigureDeps } from '../workers/charts/figures.js';
import { comparisonsReaction, runDailyComparisons } from '../workers/books/comparisons.js';
import { lookWhereDue, runReportLooks } from '../workers/books/report-looks.js';
import { createSingletons, watchUntilReady } from '../workers/coordination/singleton.js';
import { runDeadlines, processAllDeadlines } from '../workers/stores/deadlines.js';
import {
  deletionCleanupReaction,
  erasuresReaction,
  mergesReaction,
  ownershipReaction,
  payersReaction,
} from '../workers/reactions/completions.js';
import { accountTokensReaction } from '../workers/reactions/account-tokens.js';
import { runMaintenance } from '../workers/coordination/maintenance.js';
import type { HealthReport } from '../workers/coordination/health.js';
import { runRetries } from '../workers/reactions/parked.js';
import { ratesReaction } from '../workers/reactions/rates.js';
import { runReaction, type HandlerWrapper, type Reaction } from '../workers/reactions/reaction.js';
import { runOperatorRequests } from '../workers/coordination/operator-requests.js';
import { keepPresence } from '../workers/coordination/presence.js';
import { runImports, runVerifications } from '../workers/imports/imports.js';
import { createStoreWork, type StoreWork } from '../workers/stores/stores.js';
import { superviseLoop, superviseRounds, type LoopDeps } from '../workers/coordination/supervise.js';
import type { WebhookWorker } from '../workers/webhooks/webhooks.js';
import type { ExternalServices } from './external-services.js';
import { importFilesElsewhere } from './imports/read-elsewhere.js';
import { startProjector } from './start-projector.js';

const STORE_RECORDS_INTERVAL_MS = 30_000;
const ONE_SECOND_MS = 1000;
/** Time without progress while events wait, longer than the projector's: one event may take longer than a batch of it. */
const REACTION_STALL_MS = 300_000;

export type RolesOptions = {
  readonly config: Config;
  readonly engine: Engine;
  readonly operator: ExternalServices['operator'];
  readonly deps: StoreDeps;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly readModels: ReadModels;
  readonly serving: Serving;
  readonly progress: Progress;
  readonly chartLedger: FigureDeps['chartLedger'];
  readonly books: Books;
  readonly reportFiles: ReportFiles;
  readonly webhooks: WebhookWorker;
  readonly attempts: AttemptFeed;
  readonly live: Live;
  /** Id of this process. */
  readonly processId: string;
  readonly health: () => Promise<HealthReport>;
  /** Reads the records that receiving notifications requires while MongoDB is unavailable. */
  readonly loadStoreRecords: () => Promise<void>;
  /** Called when all tokens of a user were revoked. */
  readonly onPasswordReset: (userId: string) => void;
  /** Called once, when the read models have reached the head of the log. */
  readonly onCaughtUp: () => void;
  readonly around: HandlerWrapper;
  /** While it returns true, only `passDeadlines` processes deadlines. */
  readonly isPlayingPast: () => boolean;
  /** Replaces ending the process when its work is stuck. */
  readonly onStuck: ((name: string) => void) | undefined;
};

export type RunningRoles = {
  /** Also resolves when stopped before the read models have caught up. */
  readonly ready: Promise<void>;
  /** Reactions that this process runs, or stands by for. */
  readonly reactions: readonly Reaction[];
  /** Returns the names of work that has stalled in this process. */
  stalled(): readonly string[];
  idle(): Promise<void>;
  waitForReactions(): Promise<void>;
  /** Processes all due deadlines once. */
  passDeadlines(): Promise<void>;
  /** Ends every loop; resolves when work in progress is finished. */
  stop(): Promise<void>;
};

export function startRoles(o: RolesOptions): RunningRoles {
  const { config, engine, deps, runtime, logger, readModels, serving, progress, webhooks } = o;
  const { log, docs } = deps;
  const has = (role: Role) => config.ROLES.includes(role);
  const stopping = new AbortController();
  // Every wait of every loop listens to this signal; it is not a leak.
  setMaxListeners(0, stopping.signal);
  const { signal } = stopping;
  const importFiles = importFilesElsewhere({
    ...{ maxMiB: config.IMPORT_MAX_MB, maxRows: config.IMPORT_MAX_ROWS },
    log: (fault) => logger.warn({ fault }, 'a file of an import cannot be read'),
  });
  const handover = createHandover();
  const common = { log, docs, runtime, logger, progress };
  const running: Promise<void>[] = [];
  const singletons = createSingletons(
    { isShared: engine.isShared, owner: o.processId, onStuck: o.onStuck ?? throwStuck },
    common,
    signal,
  );
  const runSingleton = singletons.run;
  const ready = new Promise<void>((resolve) => {
    const caughtUp = () => {
      o.onCaughtUp();
      resolve();
    };
    if (has('projector'))
      running.push(...startProjector({ ...o, handover, onCaughtUp: caughtUp }, common, runSingleton, signal));
    if (engine.isShared) running.push(watchUntilReady(log, common, signal, caughtUp));
    else if (!has('projector')) caughtUp();
    // On a stop during catch-up, waiting code continues and finds the signal aborted.
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const stores = createStoreWork(deps, logger);
  const reactions = has('worker') ? createReactions(o, stores) : [];
  for (const reaction of reactions) {
    const follower = { names: () => [reaction.name], limitMs: REACTION_STALL_MS };
    const work: Parameters<typeof runSingleton>[1] = (s, { onOutcome, onFailure }) =>
      runReaction(reaction, { ...common, around: o.around, onOutcome, onFailure }, s);
    running.push(runSingleton(reaction.name, work, follower));
  }
  const deadlines = {
    deps,
    readModels,
    logger,
    slackMs: config.SETTLE_SLACK_SECONDS * 1000,
    checkStore: stores.checkStore,
  };
  if (has('worker')) {
    running.push(
      runSingleton('store tasks', (s) => stores.run(s)),
      runSingleton('retries', (s) => runRetries(reactions, common, s)),
      webhooks.run(signal),
    );
    running.push(runSingleton('import verifications', (s) => runVerifications(deps, logger, s)));
    running.push(runSingleton('report looks', (s) => runReportLooks(o, s)));
    running.push(runSingleton('maintenance', (s) => runMaintenance({ docs, runtime, logger }, s)));
    running.push(ready.then(() => runSingleton('figures', (s) => runFigureWatch(o, s, o.isPlayingPast))));
    running.push(ready.then(() => runSingleton('deadlines', (s) => runDeadlines(deadlines, s, o.isPlayingPast))));
    running.push(ready.then(() => runSingleton('daily comparisons', (s) => runDailyComparisons(o, s))));
  }
  if (has('http')) running.push(...startHttpLoops(o, common, importFiles, signal));
  if (has('worker') && engine.isShared) running.push(keepPresence({ ...common, owner: o.processId }, signal));
  if (engine.isShared) {
    const exchange = () => o.attempts.exchange(o.live.hasReaders());
    running.push(superviseRounds('delivery attempts', ONE_SECOND_MS, common, signal, exchange));
  }
  const operatorDeps = {
    ...{ deps, logger, serving, projections, rewrapKeys: engine.rewrapKeys },
    handover: has('projector') ? handover : null,
    health: o.health,
    onPasswordReset: o.onPasswordReset,
  };
  const localReports = { files: o.reportFiles, open: openReportFile };
  if (has('worker') && !engine.isShared)
    running.push(
      runOperatorRequests({ ...operatorDeps, ...o.operator, canRead: importFiles.isHere, localReports }, signal),
    );

  const waitForReactions = async () => {
    const names = reactions.map((r) => r.name);
    await progress.wait(names, await log.head(), signal);
  };

  return {
    ready,
    reactions,
    stalled: singletons.stalled,
    waitForReactions,
    idle: async () => {
      await waitForReactions();
      if (has('worker')) await stores.runTasks(signal);
      if (has('worker')) await lookWhereDue(o, signal);
      await waitForReactions();
      const projectionNames = has('projector') ? projections.map((p) => p.name) : [];
      await progress.wait(projectionNames, await log.head(), signal);
    },
    passDeadlines: () => processAllDeadlines(deadlines, signal).then(() => undefined),
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function createReactions(o: RolesOptions, stores: StoreWork) {
  const { deps, progress, readModels, webhooks } = o;
  return [
    ...stores.reactions,
    ownershipReaction(deps),
    mergesReaction(deps),
    accountTokensReaction(deps, progress),
    payersReaction(deps),
    erasuresReaction(deps),
    deletionCleanupReaction(deps),
    ratesReaction(deps, readModels, progress),
    comparisonsReaction(o),
    webhooks.fanout,
  ];
}

/** Starts what requests need: live feeds, import files, and the records of stores. */
function startHttpLoops(
  { config, deps, logger, live, loadStoreRecords }: RolesOptions,
  common: LoopDeps,
  importFiles: ImportFiles,
  signal: AbortSignal,
): readonly Promise<void>[] {
  const uploads = createImportUploads(config.DATA_DIR, config.IMPORT_MAX_MB);
  const loops = [
    superviseLoop('live feed', common, signal, () => live.follow(signal)),
    superviseRounds('live access', ONE_SECOND_MS, common, signal, live.check),
    runImports(deps, importFiles, uploads, logger, signal),
  ];
  if (config.MONGODB_URL === undefined) return loops;
  return [...loops, superviseRounds('store records', STORE_RECORDS_INTERVAL_MS, common, signal, loadStoreRecords)];
}

/** Throws where only the process can catch it, which ends it: another process, or the next start, does the work. */
function throwStuck(name: string): void {
  queueMicrotask(() => {
    throw new Error(`${name} is stuck: it makes no progress and does not end, so this process ends`);
  });
}
