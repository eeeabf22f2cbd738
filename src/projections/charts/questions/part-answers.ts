// Computes chart requests for one part of the customers, from its ledgers. It runs in its own thread, because it may take long.
import { reasonBuffers, type PackedReasons } from '../../../domain/charts/compare/packed.js';
import { customersBehind } from '../../../domain/charts/ledger/compare/behind.js';
import { compareLedgers, customersOfReason } from '../../../domain/charts/ledger/compare/compare-ledgers.js';
import { countSegments } from '../../../domain/charts/ledger/count-segments.js';
import { buffersIn, type PartialResult } from '../../../domain/charts/ledger/partial.js';
import { readPart } from '../../../domain/charts/ledger/read-ledger.js';
import type { SegmentCounts } from '../../../domain/charts/result/segment-counts.js';
import type { Ledgers } from '../ledger/ledgers.js';
import { pageOf } from './compare.js';
import type { Answers, Behind, Questions } from './questions.js';

/** Results to be merged with those of the other parts. */
export type PartAnswers = {
  readonly segments: SegmentCounts;
  readonly chart: PartialResult;
  readonly compare: { readonly then: PartialResult; readonly now: PartialResult; readonly reasons: PackedReasons };
  readonly reason: readonly Behind[];
  /** Customers, one more than the page if there are more. `isKnown` is true if the customer `after` is in this part, or none is given. */
  readonly behind: { readonly found: readonly Behind[]; readonly isKnown: boolean };
  readonly progress: Answers['progress'];
};

/** Throws `Unavailable` if the result is not available now. */
export type AskPart = <K extends keyof PartAnswers>(
  kind: K,
  projectId: string,
  question: Questions[K],
) => Promise<PartAnswers[K]>;

/** Returns the buffers that are transferred to another thread instead of copied. */
export function partBuffers(answer: PartAnswers[keyof PartAnswers]): ArrayBuffer[] {
  if ('kind' in answer) return buffersIn(answer);
  if (!('reasons' in answer)) return [];
  return [...new Set([...buffersIn(answer.then), ...buffersIn(answer.now), ...reasonBuffers(answer.reasons)])];
}

type Answering = {
  readonly [K in keyof PartAnswers]: (projectId: string, question: Questions[K]) => Promise<PartAnswers[K]>;
};

export function createPartAnswers(ledgers: Ledgers): AskPart {
  const answering: Answering = {
    segments: async (projectId, { query }) => {
      const { segment } = query;
      if (segment === null) return new Map();
      return ledgers.one(projectId, query, (ledger) => countSegments(ledger, { ...query, segment }));
    },
    chart: (projectId, { query }) => ledgers.one(projectId, query, (ledger) => readPart(ledger, query)),
    compare: (projectId, { then, now, mostListed }) =>
      ledgers.compare(projectId, then, now, (compare) => ({
        then: readPart(compare.then.ledger, then),
        now: readPart(compare.now.ledger, now),
        reasons: compareLedgers(compare, mostListed),
      })),
    reason: async (projectId, { then, now, place, page }) =>
      pageOf(await ledgers.compare(projectId, then, now, (compare) => customersOfReason(compare, place)), page),
    behind: async (projectId, { query, measure, page: { after, limit } }) => {
      const all = await ledgers.one(projectId, query, (ledger) => customersBehind(ledger, query, measure));
      const isKnown = after === undefined || all.some(({ customerId }) => customerId === after);
      return { found: pageOf(all, { after, limit: limit + 1 }), isKnown };
    },
    progress: (projectId) => Promise.resolve(ledgers.progress(projectId)),
  };
  return (kind, projectId, question) => answering[kind](projectId, question);
}
