// Computes chart requests for one part of the customers, from its ledgers. It runs in its own thread, because it may take long.
import { reasonBuffers, type PackedReasons } from '../../../domain/charts/compare/packed-reasons.js';
import { findContributors } from '../../../domain/charts/ledger/compare/value-contributors.js';
import { compareLedgers, customersOfReason } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import { countSegments } from '../../../domain/charts/ledger/count-segments.js';
import { buffersIn, type PartialResult } from '../../../domain/charts/ledger/partial.js';
import { queryLedgerPart } from '../../../domain/charts/ledger/query-ledger.js';
import type { SegmentCounts } from '../../../domain/charts/result/segment-counts.js';
import type { Ledgers } from '../ledger/ledgers.js';
import { pageOf } from './comparison-sides.js';
import type { ChartResponses, CustomerShare, ChartRequests } from './chart-requests.js';

/** Results to be merged with those of the other parts. */
export type PartResults = {
  readonly segments: SegmentCounts;
  readonly chart: PartialResult;
  readonly compare: { readonly then: PartialResult; readonly now: PartialResult; readonly reasons: PackedReasons };
  readonly reason: readonly CustomerShare[];
  /** Customers, one more than the page if there are more. `isKnown` is true if the customer `after` is in this part, or none is given. */
  readonly behind: { readonly found: readonly CustomerShare[]; readonly isKnown: boolean };
  readonly progress: ChartResponses['progress'];
};

/** Throws `Unavailable` if the result is not available now. */
export type QueryPart = <K extends keyof PartResults>(
  kind: K,
  projectId: string,
  question: ChartRequests[K],
) => Promise<PartResults[K]>;

/** Returns the buffers that are transferred to another thread instead of copied. */
export function partBuffers(answer: PartResults[keyof PartResults]): ArrayBuffer[] {
  if ('kind' in answer) return buffersIn(answer);
  if (!('reasons' in answer)) return [];
  return [...new Set([...buffersIn(answer.then), ...buffersIn(answer.now), ...reasonBuffers(answer.reasons)])];
}

type RequestHandlers = {
  readonly [K in keyof PartResults]: (projectId: string, question: ChartRequests[K]) => Promise<PartResults[K]>;
};

export function createPartQueries(ledgers: Ledgers): QueryPart {
  const handlers: RequestHandlers = {
    segments: async (projectId, { query }) => {
      const { segment } = query;
      if (segment === null) return new Map();
      return ledgers.one(projectId, query, (ledger) => countSegments(ledger, { ...query, segment }));
    },
    chart: (projectId, { query }) => ledgers.one(projectId, query, (ledger) => queryLedgerPart(ledger, query)),
    compare: (projectId, { then, now, mostListed }) =>
      ledgers.compare(projectId, then, now, (compare) => ({
        then: queryLedgerPart(compare.then.ledger, then),
        now: queryLedgerPart(compare.now.ledger, now),
        reasons: compareLedgers(compare, mostListed),
      })),
    reason: async (projectId, { then, now, place, page }) =>
      pageOf(await ledgers.compare(projectId, then, now, (compare) => customersOfReason(compare, place)), page),
    behind: async (projectId, { query, page: { after, limit }, ...cell }) => {
      const all = await ledgers.one(projectId, query, (ledger) => findContributors(ledger, query, cell));
      const isKnown = after === undefined || all.some(({ customerId }) => customerId === after);
      return { found: pageOf(all, { after, limit: limit + 1 }), isKnown };
    },
    progress: (projectId) => Promise.resolve(ledgers.progress(projectId)),
  };
  return (kind, projectId, question) => handlers[kind](projectId, question);
}
