// Answers what is asked about charts from the ledgers. It runs in a thread of its own, since it may take its time.
import { compareLedgers, customersOfReason } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import { customersBehind } from '../../../domain/charts/ledger/compare/behind.js';
import { countSegments } from '../../../domain/charts/ledger/count-segments.js';
import { readLedger } from '../../../domain/charts/ledger/read-ledger.js';
import type { VariantResults } from '../../../domain/experiment/results.js';
import type { Ledgers } from '../ledger/ledgers.js';
import { full, inOrder, pageOfReason } from './compare.js';
import type { Answers, AskCharts, AskedVariant, Behind, Compared, Page, Questions } from './questions.js';

type Sources = {
  readonly ledgers: Ledgers;
  variant(asked: AskedVariant): Promise<VariantResults>;
};

type Answering = {
  readonly [K in keyof Questions]: (projectId: string, question: Questions[K]) => Promise<Answers[K]>;
};

export function createChartAnswers({ ledgers, variant }: Sources): AskCharts {
  const answering: Answering = {
    segments: async (projectId, { query }) => {
      const { segment } = query;
      if (segment === null) return new Map();
      return ledgers.one(projectId, query, (ledger) => countSegments(ledger, { ...query, segment }));
    },
    chart: (projectId, { query }) => ledgers.one(projectId, query, (ledger) => readLedger(ledger, query)),
    compare: (projectId, { then, now, mostListed }) =>
      ledgers.compare(projectId, then, now, (compare): Compared => {
        const before = readLedger(compare.then.ledger, then);
        const after = readLedger(compare.now.ledger, now);
        const reasons = compareLedgers(compare, mostListed);
        const { unconverted } = after;
        return { then: full(before), now: full(after), reasons, ...(unconverted && { unconverted }) };
      }),
    reason: async (projectId, { then, now, place, page }) => {
      const all = await ledgers.compare(projectId, then, now, (compare) => customersOfReason(compare, place));
      return pageOfReason(all, page);
    },
    variant: (_, asked) => variant(asked),
    progress: (projectId) => Promise.resolve(ledgers.progress(projectId)),
    behind: async (projectId, { query, measure, page }) => {
      const found = await ledgers.one(projectId, query, (ledger) => customersBehind(ledger, query, measure));
      return pageOf(inOrder(found), page);
    },
  };
  return (kind, projectId, question) => answering[kind](projectId, question);
}

function pageOf(all: readonly Behind[], { after, limit }: Page): Answers['behind'] {
  const at = after === undefined ? -1 : all.findIndex((c) => c.customerId === after);
  if (after !== undefined && at < 0) return null;
  const found = all.slice(at + 1, at + 1 + limit);
  return { found, isLast: at + 1 + found.length >= all.length };
}
