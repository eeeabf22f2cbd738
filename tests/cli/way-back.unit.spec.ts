// Random lives of subscriptions, exported as lines of facts and imported again: nothing that a chart or a customer sees may differ. `LIVES`
// sets how many (100), `SEED` which.
import { expect } from 'chai';
import fc from 'fast-check';
import { customerLines, transactionLines } from '../../src/cli/import/history-lines.js';
import { emptyCustomerHistory, noHistory, type CustomerHistory } from '../../src/domain/charts/history/history.js';
import { knownHistoryOf } from '../../src/domain/charts/history/known-history.js';
import { record } from '../../src/domain/charts/history/record.js';
import { withdraw } from '../../src/domain/charts/history/withdraw.js';
import type { RecordedEvent } from '../../src/domain/envelope.js';
import { importedLine, type ImportedFact } from '../../src/domain/imports/facts.js';
import { streams } from '../../src/domain/streams.js';
import type { StoreCommand } from '../../src/domain/subscriber/decide/store-commands.js';
import type { RefundPolicy } from '../../src/domain/subscriber/events/blocks.js';
import type { SubscriberEvent } from '../../src/domain/subscriber/events/events.js';
import { isoFromMs } from '../../src/domain/time.js';
import type { CustomerDoc } from '../../src/projections/models/customers.js';
import { transactions, type TransactionDoc } from '../../src/projections/models/transactions.js';
import { figuresOf } from '../commands/support/chart-figures.js';
import { chainPlans, type ChainPlan } from '../commands/stores/ios/random-chain.js';
import { dayMs, DAY_MS } from '../commands/stores/ios/samples.js';
import { importRows } from '../domain/imports/exported-rows.js';
import {
  accessOf,
  chargesOf,
  context,
  importFacts,
  liveOf,
  NOW,
  withUpdate,
  type Life,
} from '../domain/imports/lives.js';
import { randomRows } from '../domain/imports/random-rows.js';
import { chance } from '../projections/support/seeded-random.js';

const RUNS = { numRuns: Number(process.env['LIVES'] ?? 100), seed: Number(process.env['SEED'] ?? 7) };

function recordedOf({ events }: Life): readonly RecordedEvent<SubscriberEvent>[] {
  const first = isoFromMs(dayMs(0));
  return events.map((event, i) => {
    const at = event.at ?? first;
    const meta = { at, recordedAt: at, projectId: context.projectId, ...(event.late && { late: event.late }) };
    const place = { id: `event-${i}`, stream: streams.subscriber(context.projectId, 'cust_1'), position: String(i) };
    return {
      ...place,
      revision: i,
      type: event.type,
      data: event.data,
      meta,
    } as unknown as RecordedEvent<SubscriberEvent>;
  });
}

function historyOf(life: Life): CustomerHistory {
  const own = recordedOf(life).reduce((history, event) => {
    if (event.type === 'CustomerMerged') return history;
    return event.type === 'PurchaseHistoryRevised' ? withdraw(history, event) : record(history, event);
  }, noHistory);
  return { ...emptyCustomerHistory, own };
}

function transactionsOf(life: Life): readonly TransactionDoc[] {
  const docs = new Map<string, TransactionDoc>();
  for (const event of recordedOf(life)) {
    for (const id of transactions.keys(event)) {
      const doc = transactions.fold(docs.get(id), event, id, () => undefined);
      if (doc) docs.set(id, doc);
    }
  }
  return [...docs.values()].toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? -1 : 1));
}

/** Exports the life as a file, and reads the file. */
function factsOf(life: Life): readonly ImportedFact[] {
  const customer = {
    customerId: 'cust_1',
    firstSeenAt: isoFromMs(dayMs(0)),
    profile: life.state.profile,
  } as CustomerDoc;
  const o = { customer, history: historyOf(life), offeringKeyOf: () => null };
  const lines = [...customerLines(customer), ...transactionLines(transactionsOf(life), () => true, o)];
  return lines.map((line, i): ImportedFact => {
    const { type, ...fact } = importedLine.parse(JSON.parse(JSON.stringify(line)));
    const about = {
      customerKey: 'alice',
      isOriginal: false,
      updatedAt: '',
      from: { file: 'facts.ndjson', row: i + 1 },
    };
    const none = { customer: null, purchase: null, grant: null, token: null };
    return { ...about, ...none, [type]: fact };
  });
}

/** All that charts compute from, without the times at which it became known. */
function knownOf(life: Life) {
  const known = knownHistoryOf(historyOf(life), 'production');
  return known?.lines.map(({ id, about, charges, marks, pieces, strays }) => ({
    ...{ id, about, strays },
    charges: charges.map(({ period: { known: _known, by: _by, ...period }, ...charge }) => ({ ...charge, period })),
    marks: marks.map(({ kind, at, ...mark }) => `${isoFromMs(at)} ${kind} ${'until' in mark ? mark.until : ''}`),
    pieces: pieces.map(({ from, to, contractEnd }) => ({ from, to, contractEnd })),
  }));
}

/** `transaction`: its place among those of the life. `day`: of the refund, after the purchase. */
type Part = {
  readonly transaction: number;
  readonly day: number;
  readonly percent: number;
  readonly policy: RefundPolicy;
  readonly kind: 'full' | 'prorated' | 'partial_quantity';
};

function withParts(life: Life, parts: readonly Part[]): Life {
  const bought = transactionsOf(life);
  return parts.reduce((before, { transaction, day, percent, policy, kind }, i) => {
    const t = bought[transaction % bought.length];
    const refund =
      kind === 'prorated'
        ? { kind, share: percent / 100, isTotal: true as const }
        : { kind, share: kind === 'full' ? 1 : percent / 100 };
    const refundedAt = isoFromMs(Date.parse(t?.purchasedAt ?? '') + day * DAY_MS + 3_600_000 + i * 60_000);
    const of = { storeChainId: '1000', storeTime: null, transactionId: t?.transactionId ?? '', refundedAt };
    const command: StoreCommand = { kind: 'recordRefund', ...of, refund, policy };
    return withUpdate(before, { orderedAt: refundedAt, commands: [command] });
  }, life);
}

/** Shares are differences of sums in one life and given in the other. */
const rounded = (fact: unknown): unknown =>
  JSON.parse(
    JSON.stringify(fact, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value)),
  );

const views: Readonly<Record<string, (life: Life) => unknown>> = {
  knowledge: knownOf,
  figures: ({ events }) => figuresOf(events),
  charges: chargesOf,
  access: accessOf,
  facts: (life) => factsOf(life).map(({ from: _from, ...fact }) => rounded(fact)),
};

function expectSame(live: Life): void {
  const imported = importFacts(factsOf(live));
  for (const [name, view] of Object.entries(views)) expect(view(imported), name).to.deep.equal(view(live));
}

describe(`${RUNS.numRuns} random lives exported and imported again (seed ${RUNS.seed})`, function () {
  this.timeout(Math.max(120_000, RUNS.numRuns * 400));
  const parts = fc.array(
    fc.record({
      transaction: fc.integer({ min: 0, max: 11 }),
      day: fc.integer({ min: 0, max: 40 }),
      percent: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(100)),
      policy: fc.constantFrom('keep_until_expiry' as const, 'revoke_immediately' as const),
      kind: fc.constantFrom('full' as const, 'prorated' as const, 'partial_quantity' as const),
    }),
    { maxLength: 3 },
  );

  const isSame = (plan: ChainPlan, refunded: readonly Part[], passes: boolean) =>
    expectSame(withParts(liveOf(plan, passes), refunded));

  it('have the figures, the charges, the access and the facts that they had', () => {
    fc.assert(fc.property(chainPlans(), parts, fc.boolean(), isSame), RUNS);
  });
});

describe(`${RUNS.numRuns} random customers of an export of RevenueCat exported and imported again (seed ${RUNS.seed})`, function () {
  this.timeout(Math.max(120_000, RUNS.numRuns * 400));
  it('have the figures, the charges, the access and the facts that they had', () => {
    const random = chance(RUNS.seed);
    for (let n = 0; n < RUNS.numRuns; n++) expectSame(importRows(randomRows(random, NOW)));
  });
});

describe('a subscription exported and imported again', () => {
  const calm = { toggles: [], refundsFormer: false, extension: 0, isPriceRaised: false, isUpgraded: false };
  const stint = { beginsWithTrial: false, ending: 'open' as const, refund: null, pause: 1 };
  const live = liveOf({ stints: [{ ...stint, periods: [{ ...calm, passage: 'renewal' as const }] }] });
  const at = (day: number) => isoFromMs(dayMs(day));
  const of = (day: number) => ({ storeChainId: '1000', storeTime: at(day), shown: '1000' });
  const withChange = (life: Life, day: number, command: StoreCommand) =>
    withUpdate(life, { orderedAt: at(day), commands: [command] });

  it('keeps a pause', () => {
    const pause = { kind: 'recordPause' as const, ...of(31), pausedAt: at(31), autoResumeAt: at(961), inferred: false };
    const life = withChange(live, 31, pause);
    expectSame(life);
    expect(importFacts(factsOf(life)).state.profile.subscriptions[0]?.pause).to.include({ autoResumeAt: at(961) });
  });

  it('keeps a revocation, and a grace period that was made longer', () => {
    const failed = (day: number, until: number) => {
      const graceEndsAt = at(until);
      return { kind: 'recordBillingFailure' as const, ...of(day), graceEndsAt, inferred: false };
    };
    const inGrace = withChange(withChange(live, 31, failed(31, 34)), 33, failed(33, 38));
    const revoked = { kind: 'recordRevocation' as const, ...of(36), transactionId: '1000', revokedAt: at(36) };
    expectSame(withChange(inGrace, 38, { kind: 'recordGraceEnd', ...of(38) }));
    expectSame(withChange(inGrace, 36, { ...revoked, reason: 'family_sharing' }));
  });

  it('is written in the older form if its figures are with another customer, who paid', () => {
    const customer = { customerId: 'cust_1', profile: live.state.profile } as CustomerDoc;
    const o = { customer, history: emptyCustomerHistory, offeringKeyOf: () => null };
    const [line] = transactionLines(transactionsOf(live), () => true, o);
    expect(line).to.deep.include({ transactionId: '1000', changes: null, startReason: null, renewals: 0 });
  });

  it('keeps refunds in parts, their reversal and another refund', () => {
    const refunded = (day: number, share: number, isTotal: boolean) => {
      const refund = { kind: 'prorated' as const, share, ...(isTotal && { isTotal: true as const }) };
      const shared = { storeChainId: '1000', storeTime: null, transactionId: '1000', refundedAt: at(day), refund };
      return { kind: 'recordRefund' as const, ...shared, policy: 'keep_until_expiry' as const };
    };
    const reversedAt = at(6);
    const undone = { kind: 'recordRefundReversal' as const, storeChainId: '1000', storeTime: null, reversedAt };
    const parts = withChange(withChange(live, 2, refunded(2, 0.2, false)), 4, refunded(4, 0.5, true));
    const reversed = withChange(parts, 6, { ...undone, transactionId: '1000' });
    for (const life of [parts, reversed, withChange(reversed, 8, refunded(8, 0.3, false))]) expectSame(life);
  });

  describe('keeps refunds after which', () => {
    type Kind = 'part' | 'quantity' | 'full' | 'keeping' | 'reversal';
    type Step = readonly [day: number, kind: Kind, share: number];
    const command = ([day, kind, share]: Step): StoreCommand => {
      const shared = { storeChainId: '1000', storeTime: null, transactionId: '1000' };
      if (kind === 'reversal') return { kind: 'recordRefundReversal', ...shared, reversedAt: at(day) };
      const refunds = {
        part: { kind: 'prorated', share, isTotal: true },
        quantity: { kind: 'partial_quantity', share },
        full: { kind: 'full', share },
        keeping: { kind: 'full', share },
      } as const;
      const policy = kind === 'full' || kind === 'quantity' ? 'revoke_immediately' : 'keep_until_expiry';
      return { kind: 'recordRefund', ...shared, refundedAt: at(day), refund: refunds[kind], policy };
    };
    const whole: readonly Step[] = [
      [2, 'part', 1],
      [4, 'full', 1],
    ];
    const back: Step = [6, 'reversal', 1];
    const rows: readonly (readonly [title: string, steps: readonly Step[]])[] = [
      ['a full refund ends access that a part of the whole price left', whole],
      ['the reversal of such a refund gives access back', [...whole, back]],
      ['it is refunded and reversed again', [...whole, back, [8, 'full', 1], [10, 'reversal', 1]]],
      ['parts and a full refund follow again', [...whole, back, [8, 'part', 1], [10, 'full', 1]]],
      ['a full refund takes the rest', [[2, 'part', 0.4], [4, 'full', 1], back]],
      ['a full refund leaves access', [[2, 'part', 1], [4, 'keeping', 1], back]],
      ['a returned quantity leaves access', [[2, 'quantity', 0.5], back]],
      ['a full refund follows a returned quantity', [[2, 'quantity', 0.5], [4, 'full', 1], back]],
    ];
    for (const [title, steps] of rows)
      it(title, () => expectSame(steps.reduce((life, step) => withChange(life, step[0], command(step)), live)));
  });
});
