// Requests about the charts of a project that the sums cannot satisfy, in a form that is transferred between threads, and their responses.
import type { PackedReasons, ReasonPlace, Results } from '../../../domain/charts/compare/packed-reasons.js';
import { findChart } from '../../../domain/charts/catalogue/catalogue.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import type { SegmentCounts } from '../../../domain/charts/result/segment-counts.js';
import type { SegmentedResult, UnconvertedCharges } from '../../../domain/charts/result/result.js';
import type { WhatIf } from '../../../domain/charts/what-if.js';
import type { VariantResults } from '../../../domain/experiment/results.js';

/** Page of customers after the customer `after`, ordered by ID, at most `limit`. */
export type Page = { readonly after: string | undefined; readonly limit: number };

export type CustomerShare = { readonly customerId: string; readonly value: number };

export type ChartRequests<Q = ChartQuery> = {
  /** Counts by segment, regardless of the segments that the query lists. */
  readonly segments: { readonly query: Q };
  readonly chart: { readonly query: Q };
  /** Two results of one query, and the reasons of every difference, each with at most `mostListed` customers. */
  readonly compare: { readonly then: Q; readonly now: Q; readonly mostListed: number };
  /** Customers of a reason. */
  readonly reason: {
    readonly then: Q;
    readonly now: Q;
    readonly place: ReasonPlace;
    readonly page: Page;
  };
  /** Results of a variant's customers, each from its enrolment on. Nothing at or after `asOf` (UTC ms) counts. */
  readonly variant: VariantRequest;
  /** Progress of the project's ledgers that are being filled. */
  readonly progress: Readonly<Record<string, never>>;
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
};

/** Ledger that is being filled. `currency` is null for US dollars, `progress` from 0 to 1. */
export type LedgerProgress = {
  readonly environment: Environment;
  readonly currency: string | null;
  /** Hypothetical rules; omitted for the rules that applied. */
  readonly whatIf?: WhatIf;
  readonly progress: number;
};

export type VariantRequest = { readonly experimentId: string; readonly variantId: string; readonly asOf: number };

/** Response that may occupy much memory: `release` frees it immediately, and nothing of the response may be read afterwards. */
export type Releasable = { readonly release?: () => void };

export type ComparisonResult = {
  readonly then: Results;
  readonly now: Results;
  readonly reasons: PackedReasons;
  /** Unconverted transactions as known on the later side; omitted if nothing is converted. */
  readonly unconverted?: UnconvertedCharges;
};

export type ChartResponses = {
  readonly segments: SegmentCounts;
  readonly chart: SegmentedResult & Releasable;
  readonly compare: ComparisonResult & Releasable;
  readonly reason: readonly CustomerShare[];
  readonly variant: VariantResults;
  readonly progress: readonly LedgerProgress[];
  /** Customers of a value; null if the customer `after` does not contribute to it. */
  readonly behind: { readonly found: readonly CustomerShare[]; readonly isLast: boolean } | null;
};

/** Throws `Unavailable` if the response is not available now. */
export type QueryCharts = <K extends keyof ChartRequests>(
  kind: K,
  projectId: string,
  question: ChartRequests[K],
) => Promise<ChartResponses[K]>;

/** Query in the form that is transferred between threads: the functions of a chart cannot be. */
export type SerializedQuery = Omit<ChartQuery, 'chart'> & { readonly chartId: string };

export function serializeQuery({ chart, ...rest }: ChartQuery): SerializedQuery {
  return { ...rest, chartId: chart.id };
}

export function deserializeQuery({ chartId, ...rest }: SerializedQuery): ChartQuery {
  const chart = findChart(chartId);
  if (!chart) throw new Error(`unknown chart ${chartId}`);
  return { ...rest, chart };
}

/** Converts each query within a request. */
export function mapQueries<A, B, K extends keyof ChartRequests>(
  question: ChartRequests<A>[K],
  as: (q: A) => B,
): ChartRequests<B>[K] {
  const changed = Object.entries(question).map(([name, part]: [string, unknown]) => {
    const isQuery = name === 'query' || name === 'then' || name === 'now';
    return [name, isQuery ? as(part as A) : part];
  });
  return Object.fromEntries(changed) as ChartRequests<B>[K];
}
