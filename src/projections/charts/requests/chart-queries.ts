// Requests about the charts of a project that the sums cannot satisfy: each part of the customers is queried from its ledgers, in a thread of
// its own, and the results are merged before rounding.
import { mergeReasons, type PackedReasons, type ReasonPlace } from '../../../domain/charts/compare/packed-reasons.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { compareLedgers, customersOfReason } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import { findContributors, type CustomerShare } from '../../../domain/charts/ledger/compare/value-contributors.js';
import { countSegments } from '../../../domain/charts/ledger/count-segments.js';
import { mergePartials, type PartialResult } from '../../../domain/charts/ledger/partial.js';
import { queryLedgerPart, resultOf } from '../../../domain/charts/ledger/query-ledger.js';
import type { SegmentedResult } from '../../../domain/charts/result/result.js';
import { addCounts, type SegmentCounts } from '../../../domain/charts/result/segment-counts.js';
import type { ExperimentSegment, SegmentedVariantResults } from '../../../domain/experiment/results.js';
import type { LedgerProgress, Ledgers } from '../ledger/ledgers.js';

/** Page of customers after the customer `after`, ordered by ID, at most `limit`. */
type Page = { readonly after: string | undefined; readonly limit: number };

export type ChartRequests<Q = ChartQuery> = {
  /** Counts by segment, regardless of the segments that the query lists. */
  readonly segments: { readonly query: Q };
  readonly chart: { readonly query: Q };
  /** Two results of one query, and the reasons of every difference, each with at most `mostListed` customers. */
  readonly compare: { readonly then: Q; readonly now: Q; readonly mostListed: number };
  /** Customers of a reason. */
  readonly reason: { readonly then: Q; readonly now: Q; readonly place: ReasonPlace; readonly page: Page };
  /**
   * Customers that contribute to a value: the query's period is that of one bucket. `measure` is one of the chart's, or `size` of a cohort;
   * `column` is the index of a cohort column.
   */
  readonly behind: {
    readonly query: Q;
    readonly measure: string;
    readonly column?: number | undefined;
    readonly page: Page;
  };
  /** Progress of the project's ledgers that are being filled. */
  readonly progress: Readonly<Record<string, never>>;
  /** Results of a variant's customers, each from its enrolment on. Nothing at or after `asOf` (UTC ms) counts. */
  readonly variant: VariantRequest;
};

export type VariantRequest = {
  readonly experimentId: string;
  readonly variantId: string;
  readonly asOf: number;
  readonly segment: ExperimentSegment | null;
};

/** Response that may occupy much memory: `release` frees it immediately, and nothing of the response may be read afterwards. */
export type Releasable = { readonly release?: () => void };

export type ComparisonResult = {
  readonly then: SegmentedResult;
  readonly now: SegmentedResult;
  readonly reasons: PackedReasons;
};

export type ChartResponses = {
  readonly segments: SegmentCounts;
  readonly chart: SegmentedResult & Releasable;
  readonly compare: ComparisonResult & Releasable;
  readonly reason: readonly CustomerShare[];
  /** Customers of a value; null if the customer `after` does not contribute to it. */
  readonly behind: { readonly found: readonly CustomerShare[]; readonly isLast: boolean } | null;
  readonly progress: readonly LedgerProgress[];
  readonly variant: SegmentedVariantResults;
};

/** Throws `Unavailable` if the response is not available now. */
export type QueryCharts = <K extends keyof ChartRequests>(
  kind: K,
  projectId: string,
  request: ChartRequests[K],
) => Promise<ChartResponses[K]>;

/** Results of one part of the customers. */
export type PartResults = Pick<ChartResponses, 'segments' | 'reason' | 'progress'> & {
  readonly chart: PartialResult;
  readonly compare: { readonly then: PartialResult; readonly now: PartialResult; readonly reasons: PackedReasons };
  /** Customers, one more than the page if there are more. `isKnown` is true if the customer `after` is in this part, or none is given. */
  readonly behind: { readonly found: readonly CustomerShare[]; readonly isKnown: boolean };
};

type PartKind = keyof PartResults;

/** Throws `Unavailable` if the result is not available now. */
export type QueryPart = <K extends PartKind>(
  kind: K,
  projectId: string,
  request: ChartRequests[K],
) => Promise<PartResults[K]>;

/** Computation of one kind of request: in each part from its ledgers, then from the results of all parts. */
type QueryKind<K extends PartKind> = {
  ofPart(ledgers: Ledgers, projectId: string, request: ChartRequests[K]): Promise<PartResults[K]>;
  merge(parts: readonly [PartResults[K], ...PartResults[K][]], request: ChartRequests[K]): ChartResponses[K];
};

const queryKinds: { readonly [K in PartKind]: QueryKind<K> } = {
  segments: {
    ofPart: async (ledgers, projectId, { query }) => {
      const { segment } = query;
      if (segment === null) return new Map();
      return ledgers.one(projectId, query, (ledger) => countSegments(ledger, { ...query, segment }));
    },
    merge: addCounts,
  },
  chart: {
    ofPart: (ledgers, projectId, { query }) =>
      ledgers.one(projectId, query, (ledger) => queryLedgerPart(ledger, query)),
    merge: (parts, { query }) => resultOf(query, mergePartials(parts)),
  },
  compare: {
    ofPart: (ledgers, projectId, { then, now, mostListed }) =>
      ledgers.compare(projectId, then, now, (compare) => ({
        then: queryLedgerPart(compare.then.ledger, then),
        now: queryLedgerPart(compare.now.ledger, now),
        reasons: compareLedgers(compare, mostListed),
      })),
    merge: ([one, ...more], { then, now, mostListed }) => ({
      then: resultOf(then, mergePartials([one.then, ...more.map((part) => part.then)])),
      now: resultOf(now, mergePartials([one.now, ...more.map((part) => part.now)])),
      reasons: mergeReasons([one.reasons, ...more.map((part) => part.reasons)], mostListed),
    }),
  },
  reason: {
    ofPart: async (ledgers, projectId, { then, now, place, page }) =>
      pageOf(await ledgers.compare(projectId, then, now, (compare) => customersOfReason(compare, place)), page),
    merge: (parts, { page }) => pageOf(parts.flat(), page),
  },
  behind: {
    ofPart: async (ledgers, projectId, { query, page: { after, limit }, ...cell }) => {
      const all = await ledgers.one(projectId, query, (ledger) => findContributors(ledger, query, cell));
      const isKnown = after === undefined || all.some(({ customerId }) => customerId === after);
      return { found: pageOf(all, { after, limit: limit + 1 }), isKnown };
    },
    merge: (parts, { page: { after, limit } }) => {
      if (!parts.some(({ isKnown }) => isKnown)) return null;
      const all = parts.flatMap((part) => part.found);
      const found = pageOf(all, { after, limit: limit + 1 });
      return { found: found.slice(0, limit), isLast: found.length <= limit };
    },
  },
  progress: {
    ofPart: (ledgers, projectId) => Promise.resolve(ledgers.progress(projectId)),
    merge: (parts) => slowestParts(parts.flat()),
  },
};

/** Creates the queries of one part. */
export function createPartQueries(ledgers: Ledgers): QueryPart {
  return (kind, projectId, request) => queryKinds[kind].ofPart(ledgers, projectId, request);
}

type Sources = {
  /** Parts with disjoint customers; together they have all customers. */
  readonly parts: readonly [QueryPart, ...QueryPart[]];
  variant(request: VariantRequest): Promise<SegmentedVariantResults>;
};

type RequestHandlers = {
  readonly [K in keyof ChartRequests]: (projectId: string, request: ChartRequests[K]) => Promise<ChartResponses[K]>;
};

/** Creates the queries of all parts together. */
export function createChartQueries({ parts: [first, ...others], variant }: Sources): QueryCharts {
  const queryAll =
    <K extends PartKind>(kind: K) =>
    async (projectId: string, request: ChartRequests[K]): Promise<ChartResponses[K]> => {
      const [one, ...more] = [first, ...others].map((query) => query(kind, projectId, request));
      return queryKinds[kind].merge(await Promise.all([one as Promise<PartResults[K]>, ...more]), request);
    };
  const handlers: RequestHandlers = {
    segments: queryAll('segments'),
    chart: queryAll('chart'),
    compare: queryAll('compare'),
    reason: queryAll('reason'),
    behind: queryAll('behind'),
    progress: queryAll('progress'),
    variant: (_, request) => variant(request),
  };
  return (kind, projectId, request) => handlers[kind](projectId, request);
}

/** Returns a page of customers by ID; the customer `after` need not be among them. */
function pageOf(all: readonly CustomerShare[], { after, limit }: Page): CustomerShare[] {
  return all
    .filter(({ customerId }) => after === undefined || customerId > after)
    .sort((a, b) => (a.customerId < b.customerId ? -1 : 1))
    .slice(0, limit);
}

/** Returns the slowest part of each ledger. */
function slowestParts(all: readonly LedgerProgress[]): readonly LedgerProgress[] {
  const found = new Map<string, LedgerProgress>();
  for (const { progress, ...ledger } of [...all].sort((a, b) => b.progress - a.progress)) {
    found.set(JSON.stringify(ledger), { ...ledger, progress });
  }
  return [...found.values()];
}
