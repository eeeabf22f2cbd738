// Computes chart requests: queries each part of the customers and merges the results before rounding.
import { mergeReasons } from '../../../domain/charts/compare/packed-reasons.js';
import { mergePartials } from '../../../domain/charts/ledger/partial.js';
import { resultOf } from '../../../domain/charts/ledger/query-ledger.js';
import { addCounts } from '../../../domain/charts/result/segment-counts.js';
import type { VariantResults } from '../../../domain/experiment/results.js';
import { toComparisonSide, pageOf } from './comparison-sides.js';
import type { QueryPart, PartResults } from './part-queries.js';
import type { ChartResponses, QueryCharts, VariantRequest, LedgerProgress, ChartRequests } from './chart-requests.js';

type Sources = {
  /** Parts with disjoint customers; together they have all customers. */
  readonly parts: readonly [QueryPart, ...QueryPart[]];
  variant(asked: VariantRequest): Promise<VariantResults>;
};

type RequestHandlers = {
  readonly [K in keyof ChartRequests]: (projectId: string, question: ChartRequests[K]) => Promise<ChartResponses[K]>;
};

export function createChartQueries({ parts: [first, ...others], variant }: Sources): QueryCharts {
  const queryAll = <K extends keyof PartResults>(kind: K, projectId: string, question: ChartRequests[K]) => {
    const [one, ...more] = [first, ...others].map((ask) => ask(kind, projectId, question));
    return Promise.all([one as Promise<PartResults[K]>, ...more]);
  };
  const handlers: RequestHandlers = {
    segments: async (projectId, question) => addCounts(await queryAll('segments', projectId, question)),
    chart: async (projectId, question) =>
      resultOf(question.query, mergePartials(await queryAll('chart', projectId, question))),
    compare: async (projectId, question) => {
      const [one, ...more] = await queryAll('compare', projectId, question);
      const [then, now] = (['then', 'now'] as const).map((side) =>
        resultOf(question[side], mergePartials([one[side], ...more.map((part) => part[side])])),
      ) as [ChartResponses['chart'], ChartResponses['chart']];
      const reasons = mergeReasons([one.reasons, ...more.map((part) => part.reasons)], question.mostListed);
      const { unconverted } = now;
      return { then: toComparisonSide(then), now: toComparisonSide(now), reasons, ...(unconverted && { unconverted }) };
    },
    reason: async (projectId, question) =>
      pageOf((await queryAll('reason', projectId, question)).flat(), question.page),
    behind: async (projectId, question) => {
      const all = await queryAll('behind', projectId, question);
      if (!all.some(({ isKnown }) => isKnown)) return null;
      const { after, limit } = question.page;
      const found = pageOf(
        all.flatMap((part) => part.found),
        { after, limit: limit + 1 },
      );
      return { found: found.slice(0, limit), isLast: found.length <= limit };
    },
    variant: (_, asked) => variant(asked),
    progress: async (projectId, question) => slowestParts((await queryAll('progress', projectId, question)).flat()),
  };
  return (kind, projectId, question) => handlers[kind](projectId, question);
}

/** Returns the slowest part of each ledger. */
function slowestParts(all: readonly LedgerProgress[]): readonly LedgerProgress[] {
  const found = new Map<string, LedgerProgress>();
  for (const { progress, ...ledger } of [...all].sort((a, b) => b.progress - a.progress)) {
    found.set(JSON.stringify(ledger), { ...ledger, progress });
  }
  return [...found.values()];
}
