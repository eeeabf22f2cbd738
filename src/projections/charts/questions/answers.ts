// Answers what is asked about charts from the ledgers. It runs in a thread of its own, since it may take its time.
import { compareLedgers, customersOfReason } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import { customersBehind } from '../../../domain/charts/ledger/compare/behind.js';
import { readLedger } from '../../../domain/charts/ledger/read-ledger.js';
import type { VariantResults } from '../../../domain/experiment/results.js';
import type { LedgerRequest, Ledgers } from '../ledger/ledgers.js';
import { full, inOrder, pageOfReason } from './compare.js';
import type { Answers, AskCharts, AskedSide, AskedVariant, Behind, Compared, Page, Questions } from './questions.js';

type Sources = {
  readonly ledgers: Ledgers;
  /** Throws `Unavailable` for a copy that is not there any more. */
  sourceOf(projectId: string, copy: string | null): Promise<LedgerRequest['source']>;
  variant(asked: AskedVariant): Promise<VariantResults>;
};

type Answering = {
  readonly [K in keyof Questions]: (projectId: string, question: Questions[K]) => Promise<Answers[K]>;
};

export function createChartAnswers({ ledgers, sourceOf, variant }: Sources): AskCharts {
  const requestOf = async (projectId: string, { copy, query }: AskedSide): Promise<LedgerRequest> => {
    return { source: await sourceOf(projectId, copy), chartQuery: query };
  };
  const requestsOf = async (projectId: string, then: AskedSide, now: AskedSide) => {
    const later = await requestOf(projectId, now);
    const isSame = then.copy === now.copy;
    return [isSame ? { ...later, chartQuery: then.query } : await requestOf(projectId, then), later] as const;
  };
  const answering: Answering = {
    chart: async (projectId, { side, also }) =>
      ledgers.one(projectId, await requestOf(projectId, side), (ledger) => readLedger(ledger, side.query, also)),
    compare: async (projectId, { then, now, mostListed }) => {
      const [first, second] = await requestsOf(projectId, then, now);
      return ledgers.compare(projectId, first, second, (compare): Compared => {
        const before = readLedger(compare.then.ledger, then.query);
        const after = readLedger(compare.now.ledger, now.query, [...(before.segments?.keys() ?? [])]);
        const values = [...(after.segments?.keys() ?? [])];
        const isWhole = values.every((value) => before.segments?.has(value));
        const again = isWhole ? before : readLedger(compare.then.ledger, then.query, values);
        const reasons = compareLedgers({ ...compare, also: values }, mostListed);
        const { unconverted } = after;
        return { then: full(again), now: full(after), reasons, ...(unconverted && { unconverted }) };
      });
    },
    reason: async (projectId, { then, now, place, page }) => {
      const [first, second] = await requestsOf(projectId, then, now);
      const all = await ledgers.compare(projectId, first, second, (compare) => customersOfReason(compare, place));
      return pageOfReason(all, page);
    },
    variant: (_, asked) => variant(asked),
    progress: (projectId) => Promise.resolve(ledgers.progress(projectId)),
    behind: async (projectId, { side, measure, page }) => {
      const request = await requestOf(projectId, side);
      const found = await ledgers.one(projectId, request, (ledger) => customersBehind(ledger, side.query, measure));
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
