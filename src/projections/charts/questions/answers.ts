// Answers what is asked about charts: from the ledgers where they hold what is needed, else from the customers one after the other. It runs
// beside the requests, since either may take its time.
import { compareLedgers, customersOfReason } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import { customersBehind as behindInLedger } from '../../../domain/charts/ledger/compare/behind.js';
import { readLedger } from '../../../domain/charts/ledger/read-ledger.js';
import type { VariantResults } from '../../../domain/experiment/results.js';
import type { Ledgers } from '../ledger/ledgers.js';
import type { ChartSource } from '../source.js';
import {
  customersOfReason as reasonFromCustomers,
  full,
  inOrder,
  pageOfReason,
  readComparison,
  type Side,
} from './compare.js';
import { customersBehind } from './customers-behind.js';
import type { Answers, AskCharts, AskedSide, AskedVariant, Behind, Compared, Page, Questions } from './questions.js';

type Sources = {
  readonly ledgers: Ledgers;
  /** Throws `Unavailable` for a copy that is not there any more. */
  sourceOf(projectId: string, copy: string | null): Promise<ChartSource>;
  variant(asked: AskedVariant): Promise<VariantResults>;
};

type Answering = {
  readonly [K in keyof Questions]: (projectId: string, question: Questions[K]) => Promise<Answers[K]>;
};

export function createChartAnswers({ ledgers, sourceOf, variant }: Sources): AskCharts {
  const sidesOf = async (projectId: string, then: AskedSide, now: AskedSide): Promise<{ then: Side; now: Side }> => {
    const source = await sourceOf(projectId, now.copy);
    const other = then.copy === now.copy ? source : await sourceOf(projectId, then.copy);
    return {
      then: { source: other, chartQuery: then.query, isLive: then.isLive },
      now: { source, chartQuery: now.query, isLive: now.isLive },
    };
  };
  const answering: Answering = {
    chart: async (projectId, { side, also }) => {
      const source = await sourceOf(projectId, side.copy);
      return source.compute(projectId, side.query, also);
    },
    compare: async (projectId, { then, now, mostListed }) => {
      const sides = await sidesOf(projectId, then, now);
      const found = await ledgers.compare(projectId, sides.then, sides.now, (compare): Compared => {
        const first = readLedger(compare.then.ledger, then.query);
        const second = readLedger(compare.now.ledger, now.query, [...(first.segments?.keys() ?? [])]);
        const values = [...(second.segments?.keys() ?? [])];
        const isWhole = values.every((value) => first.segments?.has(value));
        const again = isWhole ? first : readLedger(compare.then.ledger, then.query, values);
        return {
          then: full(again),
          now: full(second),
          reasons: compareLedgers({ ...compare, also: values }, mostListed),
        };
      });
      return found ?? readComparison(projectId, sides.then, sides.now, mostListed);
    },
    reason: async (projectId, { then, now, place, page }) => {
      const sides = await sidesOf(projectId, then, now);
      const all = await ledgers.compare(projectId, sides.then, sides.now, (compare) =>
        customersOfReason(compare, place),
      );
      if (!all) return reasonFromCustomers(projectId, sides.then, sides.now, place, page);
      return pageOfReason(all, page);
    },
    variant: (_, asked) => variant(asked),
    behind: async (projectId, { side, measure, page }) => {
      const source = await sourceOf(projectId, side.copy);
      const one: Side = { source, chartQuery: side.query, isLive: side.isLive };
      const found = await ledgers.one(projectId, one, (ledger) => behindInLedger(ledger, side.query, measure));
      return pageOf(inOrder(found ?? (await customersBehind(source, projectId, side.query, measure))), page);
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
