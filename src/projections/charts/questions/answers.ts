// Computes chart requests: queries each part of the customers and merges the results before rounding.
import { mergeReasons } from '../../../domain/charts/compare/packed.js';
import { mergePartials } from '../../../domain/charts/ledger/partial.js';
import { resultOf } from '../../../domain/charts/ledger/read-ledger.js';
import { addCounts } from '../../../domain/charts/result/segment-counts.js';
import type { VariantResults } from '../../../domain/experiment/results.js';
import { full, pageOf } from './compare.js';
import type { AskPart, PartAnswers } from './part-answers.js';
import type { Answers, AskCharts, AskedVariant, LedgerProgress, Questions } from './questions.js';

type Sources = {
  /** Parts with disjoint customers; together they have all customers. */
  readonly parts: readonly [AskPart, ...AskPart[]];
  variant(asked: AskedVariant): Promise<VariantResults>;
};

type Answering = {
  readonly [K in keyof Questions]: (projectId: string, question: Questions[K]) => Promise<Answers[K]>;
};

export function createChartAnswers({ parts: [first, ...others], variant }: Sources): AskCharts {
  const askAll = <K extends keyof PartAnswers>(kind: K, projectId: string, question: Questions[K]) => {
    const [one, ...more] = [first, ...others].map((ask) => ask(kind, projectId, question));
    return Promise.all([one as Promise<PartAnswers[K]>, ...more]);
  };
  const answering: Answering = {
    segments: async (projectId, question) => addCounts(await askAll('segments', projectId, question)),
    chart: async (projectId, question) =>
      resultOf(question.query, mergePartials(await askAll('chart', projectId, question))),
    compare: async (projectId, question) => {
      const [one, ...more] = await askAll('compare', projectId, question);
      const [then, now] = (['then', 'now'] as const).map((side) =>
        resultOf(question[side], mergePartials([one[side], ...more.map((part) => part[side])])),
      ) as [Answers['chart'], Answers['chart']];
      const reasons = mergeReasons([one.reasons, ...more.map((part) => part.reasons)], question.mostListed);
      const { unconverted } = now;
      return { then: full(then), now: full(now), reasons, ...(unconverted && { unconverted }) };
    },
    reason: async (projectId, question) => pageOf((await askAll('reason', projectId, question)).flat(), question.page),
    behind: async (projectId, question) => {
      const all = await askAll('behind', projectId, question);
      if (!all.some(({ isKnown }) => isKnown)) return null;
      const { after, limit } = question.page;
      const found = pageOf(
        all.flatMap((part) => part.found),
        { after, limit: limit + 1 },
      );
      return { found: found.slice(0, limit), isLast: found.length <= limit };
    },
    variant: (_, asked) => variant(asked),
    progress: async (projectId, question) => slowest((await askAll('progress', projectId, question)).flat()),
  };
  return (kind, projectId, question) => answering[kind](projectId, question);
}

/** Returns the slowest part of each ledger. */
function slowest(all: readonly LedgerProgress[]): readonly LedgerProgress[] {
  const found = new Map<string, LedgerProgress>();
  for (const { progress, ...ledger } of [...all].sort((a, b) => b.progress - a.progress)) {
    found.set(JSON.stringify(ledger), { ...ledger, progress });
  }
  return [...found.values()];
}
