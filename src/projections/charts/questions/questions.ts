// What is asked about the charts of a project beside what their sums hold, in a form that crosses threads, and what is found.
import type { PackedReasons, ReasonPlace, Results } from '../../../domain/charts/compare/packed.js';
import { findChart } from '../../../domain/charts/catalogue/catalogue.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import type { Environment } from '../../../domain/charts/history/known-history.js';
import type { SegmentCounts } from '../../../domain/charts/result/segment-counts.js';
import type { SegmentedResult, Unconverted } from '../../../domain/charts/result/result.js';
import type { WhatIf } from '../../../domain/charts/what-if.js';
import type { VariantResults } from '../../../domain/experiment/results.js';

/** Those behind the customer `after`, in the order of their ids, and at most `limit`. */
export type Page = { readonly after: string | undefined; readonly limit: number };

export type Behind = { readonly customerId: string; readonly value: number };

export type Questions<Q = ChartQuery> = {
  /** Who is in which segment, whichever the query shows. */
  readonly segments: { readonly query: Q };
  readonly chart: { readonly query: Q };
  /** Two results of one question, and the reasons of every difference, which list `mostListed` customers each at most. */
  readonly compare: { readonly then: Q; readonly now: Q; readonly mostListed: number };
  /** Whom a reason is about. */
  readonly reason: {
    readonly then: Q;
    readonly now: Q;
    readonly place: ReasonPlace;
    readonly page: Page;
  };
  /** What the customers of a variant did, each from its enrolment on. Nothing at or after `asOf` (UTC ms) is counted. */
  readonly variant: AskedVariant;
  /** How far ledgers of the project are that are being filled. */
  readonly progress: Readonly<Record<string, never>>;
  /** Who is behind a value: the query's period is that of one bucket. `measure` is one of the chart's, or `size` of a cohort. */
  readonly behind: { readonly query: Q; readonly measure: string; readonly page: Page };
};

/** A ledger in memory whose customers are not all taken in. `currency` null for US dollars, `progress` from 0 to 1. */
export type LedgerProgress = {
  readonly environment: Environment;
  readonly currency: string | null;
  /** Other rules than those by which things happened; left out for these. */
  readonly whatIf?: WhatIf;
  readonly progress: number;
};

export type AskedVariant = { readonly experimentId: string; readonly variantId: string; readonly asOf: number };

/** What may hold much memory: `release` frees it at once, and nothing of the answer may be read from then on. */
export type Releasable = { readonly release?: () => void };

export type Compared = {
  readonly then: Results;
  readonly now: Results;
  readonly reasons: PackedReasons;
  /** Of the later knowledge; left out where nothing is converted. */
  readonly unconverted?: Unconverted;
};

export type Answers = {
  readonly segments: SegmentCounts;
  readonly chart: SegmentedResult & Releasable;
  readonly compare: Compared & Releasable;
  readonly reason: readonly Behind[];
  readonly variant: VariantResults;
  readonly progress: readonly LedgerProgress[];
  /** Null when nobody of the id `after` is behind the value. */
  readonly behind: { readonly found: readonly Behind[]; readonly isLast: boolean } | null;
};

/** Throws `Unavailable` when it cannot be found out now. */
export type AskCharts = <K extends keyof Questions>(
  kind: K,
  projectId: string,
  question: Questions[K],
) => Promise<Answers[K]>;

/** A query as it crosses threads: functions, which a chart has, cannot. */
export type SentQuery = Omit<ChartQuery, 'chart'> & { readonly chartId: string };

export function sentQuery({ chart, ...rest }: ChartQuery): SentQuery {
  return { ...rest, chartId: chart.id };
}

export function queryFrom({ chartId, ...rest }: SentQuery): ChartQuery {
  const chart = findChart(chartId);
  if (!chart) throw new Error(`there is no chart ${chartId}`);
  return { ...rest, chart };
}

/** The question with each of its queries in another form. */
export function withQueries<A, B, K extends keyof Questions>(
  question: Questions<A>[K],
  as: (q: A) => B,
): Questions<B>[K] {
  const changed = Object.entries(question).map(([name, part]: [string, unknown]) => {
    const isQuery = name === 'query' || name === 'then' || name === 'now';
    return [name, isQuery ? as(part as A) : part];
  });
  return Object.fromEntries(changed) as Questions<B>[K];
}
