// Import of files: a dry run that reports what would be recorded, and the run itself, which wants the digest of the dry run. Both decide by
// the same commands; the dry run appends to a draft.
import { Rejection } from '../../domain/errors.js';
import type { ImportContext, ImportOptions } from '../../domain/imports/context.js';
import type { ImportProblem } from '../../domain/imports/problems.js';
import { planCustomer } from '../../domain/imports/plan-customer.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { createDraftLog, observeAppends } from '../handling/draft-log.js';
import { createKeyedMutex } from '../handling/keyed-mutex.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { applyCustomer, type ImportRun } from './apply-customer.js';
import { createReportBuilder, type CountedCustomers, type ImportReport } from './import-report.js';
import { factsOf, type FactSource, type ReadCustomer } from './read-facts.js';

export type ImportRequest = {
  readonly importId: string;
  readonly projectId: string;
  readonly paths: readonly string[];
  readonly options: ImportOptions;
  /** Digest of the dry run that was confirmed; null for a dry run. */
  readonly confirmed: string | null;
};

/** `stage`: `reading` counts bytes of the files, `customers` counts customers. */
export type ImportProgress = { readonly stage: 'reading' | 'customers'; readonly done: number; readonly total: number };

export type ImportTools = {
  readonly source: FactSource;
  readonly progress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
  /** Mark at which an interrupted run of the same files continues; null for the start. */
  readonly mark: ImportMark | null;
  /** Called with each mark when it is reached. */
  readonly reached: (mark: ImportMark) => Promise<void>;
  readonly turn: ImportTurn;
};

/** Place in a run before which all customers are done. `digest`: of the files, which a dry run may find changed. */
export type ImportMark = { readonly digest: string; readonly customers: number; readonly counted: CountedCustomers };

/** Time in which an import has one of the few places for imports, which another project may wait for. */
export type ImportTurn = {
  /** Called when the files are read and the customers before the mark are passed over: work begins that the next turn need not repeat. */
  prepared(): void;
  /** Returns true from when the place is wanted. */
  isOver(): boolean;
};

/** An import gave its place up. It goes on from its mark at its next turn. */
export class TurnOver extends Error {
  constructor() {
    super('the import goes on at its next turn');
    this.name = 'TurnOver';
  }
}

/** Customers at a time: appends of several customers share one sync of the disk. */
const CONCURRENCY = 48;
/** Customers between two calls of `reached`. */
export const CUSTOMERS_PER_MARK = 1000;

/**
 * Runs or checks an import. Nothing is appended before all files are read. Throws `UnreadableFile`, {@link Rejection} for files that lack
 * columns and for another digest than the confirmed one, `Unavailable`, {@link TurnOver}, and the reason of the signal. Safe to repeat.
 */
export async function importFiles(deps: StoreDeps, request: ImportRequest, tools: ImportTools): Promise<ImportReport> {
  const { importId, projectId, paths, options, confirmed } = request;
  const { source, progress, signal, turn } = tools;
  const ctx = await contextOf(deps, projectId, options);
  const needs = { projectId, options, now: ctx.now, paths };
  const interrupted = new AbortController();
  const { problems, customers, bytes, ...read } = await source.read(needs, {
    progress: ({ bytes: done, total }) => {
      progress({ stage: 'reading', done, total });
      if (turn.isOver()) interrupted.abort(new TurnOver());
    },
    signal: AbortSignal.any([signal, interrupted.signal]),
  });
  progress({ stage: 'reading', done: bytes, total: bytes });
  if (confirmed !== null && confirmed !== read.digest) throw otherDigest(read.digest);
  const mark = tools.mark?.digest === read.digest ? tools.mark : null;
  const report = createReportBuilder(mark?.counted);
  if (!mark) report.addProblems(problems);
  const run = { importId, projectId, now: ctx.now, exportedAt: read.exportedAt };
  const decide = confirmed === null ? draftCustomer : recordCustomer;
  let planned = 0;
  let done = mark?.customers ?? 0;
  const pending = new Set<Promise<void>>();
  // A customer with many names takes minutes; the run keeps its claim meanwhile.
  const onAppend: OnAppend = (types) => {
    report.addEvents(types);
    progress({ stage: 'customers', done, total: customers });
  };
  const importOne = async (customer: ReadCustomer) => {
    if (customer.omittedCount > 0) report.addProblem(tooManyRows(customer));
    else {
      const plan = planOf(customer, ctx);
      report.addPlan(plan, ctx.now);
      for (const problem of (await decide(deps, run, plan, onAppend)).problems) report.addProblem(problem);
    }
    progress({ stage: 'customers', done: ++done, total: customers });
  };
  try {
    for await (const customer of source.customers()) {
      signal.throwIfAborted();
      await deps.runtime.slice();
      if (planned++ < (mark?.customers ?? 0)) continue;
      turn.prepared();
      const work = importOne(customer);
      pending.add(work);
      void work.then(
        () => pending.delete(work),
        () => undefined,
      );
      if (pending.size >= CONCURRENCY) await Promise.race(pending);
      const isOver = turn.isOver();
      if (!isOver && planned % CUSTOMERS_PER_MARK !== 0) continue;
      await Promise.all(pending);
      await tools.reached({ digest: read.digest, customers: planned, counted: report.counted() });
      if (isOver) throw new TurnOver();
    }
    await Promise.all(pending);
  } finally {
    // After a fault the customers in progress are finished first: the caller may close the log.
    await Promise.allSettled(pending);
  }
  return report.build(read, confirmed === null);
}

type Plan = ReturnType<typeof planCustomer>;
type OnAppend = (types: readonly string[]) => void;

function tooManyRows(customer: ReadCustomer): ImportProblem {
  const [{ from }] = factsOf(customer);
  return { code: 'too-many-rows', from, detail: `${customer.omittedCount} rows of one customer` };
}

function planOf(customer: ReadCustomer, ctx: ImportContext): Plan {
  const shared = new Set(customer.sharedNames);
  return planCustomer(factsOf(customer), ctx, (name) => shared.has(name));
}

async function contextOf(deps: StoreDeps, projectId: string, options: ImportOptions): Promise<ImportContext> {
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
  const unknown = options.appIds.filter((id) => !project.apps.some(({ appId }) => appId === id));
  if (unknown.length > 0) throw new Rejection('invalid', 'app-unknown', `the project has no app ${unknown.join(', ')}`);
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  return { projectId, catalog, apps: project.apps, hash: deps.hash, now: isoFromMs(deps.runtime.now()), options };
}

function recordCustomer(deps: StoreDeps, run: ImportRun, plan: Plan, onAppend: OnAppend) {
  const log = observeAppends(deps.log, async ({ events }) => {
    onAppend(events.map(({ type }) => type));
    await deps.runtime.slice();
  });
  return applyCustomer({ ...deps, log }, run, plan);
}

/** Decides on a draft of the log, which is dropped: a dry run stores nothing. */
function draftCustomer(deps: StoreDeps, run: ImportRun, plan: Plan, onAppend: OnAppend) {
  const log = observeAppends(createDraftLog(deps.log), ({ events }) => onAppend(events.map(({ type }) => type)));
  return applyCustomer({ ...deps, log, mutex: createKeyedMutex(), stores: withoutNotes(deps) }, run, plan);
}

function withoutNotes({ stores }: StoreDeps): StoreDeps['stores'] {
  return { of: (kind) => ({ ...stores.of(kind), recordImportedPurchase: () => Promise.resolve() }) };
}

function otherDigest(digest: string): Rejection {
  const text = `the files, the options or the project differ from those of the confirmed dry run (digest now ${digest}); check again`;
  return new Rejection('conflict', 'import-changed', text);
}
