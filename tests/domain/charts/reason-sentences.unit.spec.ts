// Reasons of a difference in words.
import { expect } from 'chai';
import { createReasonSentences, type ReasonPeriod } from '../../../src/domain/charts/compare/reason-sentences.js';
import { emptyCustomerHistory, type CustomerHistory, type Period } from '../../../src/domain/charts/history/history.js';
import { findKindNumber, kindName, KINDS } from '../../../src/domain/charts/ledger/knowledge-time.js';

const at = (text: string) => Date.parse(`2026-${text}Z`);
const window = { since: at('05-01T00:00'), until: at('06-01T00:00'), environment: 'production' } as const;
const april = { start: at('04-01T00:00'), end: at('05-01T00:00') };
const may = { start: at('05-01T00:00'), end: at('06-01T00:00') };
const about = {
  ...{ store: 'ios-store', appId: 'app_1', productId: null, productDuration: 'P1M', offeringId: null },
  ...{ offerType: null, startReason: null, country: null },
};

type Payment = { readonly at: string; readonly receivedAt: string; readonly removedAt?: string };

function subscriber(periods: readonly Payment[], isSandbox = false): CustomerHistory {
  const paid = periods.map(({ at: began, receivedAt, removedAt }, i): Period => ({
    ...{ id: `t${i}`, type: 'normal', until: null, duration: 'P1M', usd: 10_000_000, tax: 0, fee: 0 },
    ...{ at: at(began), known: at(receivedAt), ...(removedAt !== undefined && { gone: at(removedAt) }) },
  }));
  const line = { about, isSandbox, isShared: false, isStarted: true, periods: paid, marks: [] };
  return { ...emptyCustomerHistory, own: { ...emptyCustomerHistory.own, lines: { s1: line } } };
}

type Case = {
  readonly kind?: string;
  readonly period?: ReasonPeriod;
  readonly customers: readonly CustomerHistory[] | null;
  readonly sentence: string;
};

const late = { at: '04-30T23:50', receivedAt: '05-02T08:12' };
const cases: Readonly<Record<string, Case>> = {
  'a single receipt with both instants': {
    customers: [subscriber([late])],
    sentence: 'A renewal of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC',
  },
  'only what was received between the sides': {
    customers: [subscriber([{ at: '03-30T23:50', receivedAt: '03-31T00:00' }, late])],
    sentence: 'A renewal of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC',
  },
  'what took effect in the period, if anything did': {
    customers: [subscriber([late, { at: '05-30T23:50', receivedAt: '05-30T23:51' }])],
    sentence: 'A renewal of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC',
  },
  'what reaches into the period from before it': {
    period: may,
    customers: [subscriber([late])],
    sentence: 'A renewal of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC',
  },
  'several receipts as spans': {
    customers: [subscriber([{ at: '04-28T10:00', receivedAt: '05-01T09:00' }]), subscriber([late])],
    sentence:
      '2 renewals of 28 Apr 2026 10:00 UTC to 30 Apr 2026 23:50 UTC, received from 1 May 2026 09:00 UTC to 2 May 2026 08:12 UTC',
  },
  'several receipts of one instant': {
    customers: [subscriber([late]), subscriber([late])],
    sentence: '2 renewals of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC',
  },
  'no purchase of the other environment': {
    customers: [subscriber([late]), subscriber([late], true)],
    sentence: 'A renewal of 30 Apr 2026 23:50 UTC, received on 2 May 2026 08:12 UTC',
  },
  'a withdrawn entry with the time of the entry': {
    kind: 'PurchaseHistoryRevised',
    customers: [subscriber([{ ...late, receivedAt: '04-30T23:51', removedAt: '05-03T00:00' }])],
    sentence: 'A withdrawn entry of 30 Apr 2026 23:50 UTC, received on 3 May 2026 00:00 UTC',
  },
  'only the time between the sides for many customers': {
    customers: null,
    sentence: 'Renewals received between 1 May 2026 00:00 UTC and 1 Jun 2026 00:00 UTC',
  },
  'elapsed time': {
    kind: 'time',
    customers: null,
    sentence:
      'Time that passed between 1 May 2026 00:00 UTC and 1 Jun 2026 00:00 UTC: periods ended or outcomes became due',
  },
};

describe('a reason in words', () => {
  for (const [title, { kind = 'SubscriptionRenewed', period = april, customers, sentence }] of Object.entries(cases)) {
    it(`names ${title}`, () => {
      expect(createReasonSentences(window)(kind, period, customers)).to.equal(sentence);
      const reversed = { ...window, since: window.until, until: window.since };
      expect(createReasonSentences(reversed)(kind, period, customers)).to.equal(sentence);
    });
  }

  it('never contains the name of an event type', () => {
    const kinds = Array.from({ length: KINDS }, (_, number) => kindName(number)).filter((kind) => kind !== '');
    expect(kinds.map(findKindNumber)).not.to.include(undefined);
    for (const kind of [...kinds, 'time', 'setting', 'rates', 'products']) {
      const sentence = createReasonSentences(window)(kind, april, null);
      expect(sentence, kind).to.match(/^[A-Z][a-z-]+( |:)/);
      expect(sentence, kind).not.to.match(/[a-z][A-Z]|A change/);
    }
  });
});
