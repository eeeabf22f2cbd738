// Whole chains, sent by the store and by devices in any order and any number of times. `CHAINS` sets how many (300), `SEED` which.
// Sent in order, a message counts once, and a receipt adds nothing to the notifications. Sent in any order, the transactions, the
// money and the access at the end are the same. Left out there, because they follow the order of arrival: how the periods of a chain
// are divided into subscriptions, its state of auto-renewal, and intents that were stale when they came.
import { expect } from 'chai';
import fc from 'fast-check';
import type { IosNotification, IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import {
  translateIosNotification,
  translateIosTransaction,
} from '../../../../src/commands/stores/ios/translator/translator.js';
import { decideAll } from '../../../../src/domain/decider.js';
import type { RefundPolicy } from '../../../../src/domain/subscriber/events/blocks.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { entitlementsAt, type EntitlementRules } from '../../../../src/domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { noSubscriber, type Subscriber } from '../../../../src/domain/subscriber/state/state.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import { updatesOf } from '../../../../src/commands/subscribers/purchase-lines.js';
import { figuresOf } from '../../support/chart-figures.js';
import { chainPlans, notificationsOf } from './random-chain.js';
import { contextOf, dayMs, DAY_MS } from './samples.js';

const policies = fc.constantFrom<RefundPolicy>('revoke_immediately', 'keep_until_expiry');
const RUNS = {
  numRuns: Number(process.env['CHAINS'] ?? 150),
  seed: Number(process.env['SEED'] ?? 7),
};

type Message = IosNotification | IosTransaction;
type StoredEvent = SubscriberEvent & { readonly id: string };
type ReplayedChain = Subscriber & { readonly stored: readonly StoredEvent[] };

function deliver(messages: readonly Message[], refundPolicy: RefundPolicy): ReplayedChain {
  const ctx = contextOf({ refundPolicy });
  const introduce = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'store' as const };
  let state = noSubscriber;
  let id = 0;
  const stored: StoredEvent[] = [];
  for (const message of messages) {
    const isNotification = 'notificationType' in message;
    const translated = isNotification ? translateIosNotification(message, ctx) : translateIosTransaction(message, ctx);
    const storeChainId = translated?.storeChainId ?? '';
    const record = {
      kind: 'recordStoreUpdates' as const,
      storeChainId,
      updates: updatesOf(translated?.commands ?? []),
    };
    const events = decideAll(subscriberDecider, [introduce, record], state).map((e) => ({ ...e, id: `${++id}` }));
    state = events.reduce(subscriberDecider.evolve, state);
    stored.push(...events);
  }
  return { ...state, stored };
}

/** A device holds each transaction as it was at its purchase, or as it is now. */
function receiptsOf(messages: readonly IosNotification[]): readonly IosTransaction[] {
  return messages.flatMap((n) => n.data?.transaction ?? []);
}

/** Describes messages briefly for failure output: `DID_RENEW 1003 on 62`. */
function named(messages: readonly Message[]): string {
  const day = (ms = 0) => Math.round(((ms - dayMs(0)) / DAY_MS) * 10) / 10;
  const names = messages.map((m) => {
    const n = 'notificationType' in m ? m : null;
    const t = n ? n.data?.transaction : (m as IosTransaction);
    const text = `${t?.transactionId} ${t?.productId} ${day(t?.purchaseDate)}..${day(t?.expiresDate)}`;
    const withdrawn = t?.revocationDate === undefined ? '' : ` withdrawn ${day(t.revocationDate)}`;
    return `${n ? `${n.notificationType}/${n.subtype ?? ''} on ${day(n.signedDate)}` : 'receipt'} of ${text}${withdrawn}`;
  });
  return `\n${names.join('\n')}\n`;
}

const rules: EntitlementRules = {
  unlocks: (_, storeProductId) => [{ entitlementId: storeProductId, lookupKey: storeProductId }],
  productIdOf: () => null,
  exists: () => true,
  allowsSandbox: true,
};

/** Returns the customer's profile, purchases and history, without the source message of each event. */
function shown({ profile, transactions, stored }: ReplayedChain) {
  const subscriptions = profile.subscriptions.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const customer = { ...profile, clocks: [], subscriptions };
  const standing = standingOf(stored);
  const history = standing.map((e) => `${e.type} ${e.at ?? ''} ${JSON.stringify({ ...e.data, storeTime: null })}`);
  const known = [...transactions.values()].sort((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
  return { customer, transactions: known, history: history.sort(), charts: figuresOf(stored) };
}

const idOf = (s: Subscriber['profile']['subscriptions'][number]) => s.purchase.subscriptionId;

const BOOKKEEPING = new Set(['PurchaseHistoryRevised', 'StoreUpdateRetained', 'SubscriptionConfirmed']);

function standingOf(stored: ReplayedChain['stored']): ReplayedChain['stored'] {
  const revisions = stored.flatMap((e) => (e.type === 'PurchaseHistoryRevised' ? e.data.superseded : []));
  const superseded = new Set(revisions.map(({ eventId }) => eventId));
  return stored.filter((e) => !superseded.has(e.id) && !BOOKKEEPING.has(e.type));
}

/** Returns everything that must not depend on the order of arrival. */
function sum({ profile, transactions, stored }: ReplayedChain, endMs: number) {
  const gross = profile.subscriptions.reduce((all, s) => all + s.revenue.gross, 0);
  const known = [...transactions.values()].map((t) => [t.transactionId, t.purchasedAt, t.money, t.refund?.at ?? null]);
  const instants = [0, 1, 10, 40, 100].map((days) => isoFromMs(endMs + days * DAY_MS));
  const active = (at: string) => entitlementsAt(profile, at, rules).filter((h) => h.isActive);
  const access = instants.map((at) =>
    active(at)
      .map((h) => `${h.lookupKey} ${h.expiresAt}`)
      .sort(),
  );
  const revenue = figuresOf(stored, ['money']);
  return { gross, known: known.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)), access, revenue };
}

describe(`a random ios subscription chain (${RUNS.numRuns} chains, seed ${RUNS.seed})`, function () {
  this.timeout(600_000);
  it('received in order, each message up to three times, is as when received once', () => {
    const cases = chainPlans().chain((plan) => {
      const once = notificationsOf(plan);
      const times = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: once.length, maxLength: once.length });
      return fc.record({ once: fc.constant(once), times, policy: policies });
    });
    fc.assert(
      fc.property(cases, ({ once, times, policy }) => {
        const repeated = once.flatMap((n, i) => Array.from({ length: times[i] ?? 1 }, () => n));
        expect(deliver(repeated, policy), named(repeated)).to.deep.equal(deliver(once, policy));
      }),
      RUNS,
    );
  });

  it('received in order, then all over again, is as when received once', () =>
    fc.assert(
      fc.property(chainPlans(), policies, (plan, policy) => {
        const once = notificationsOf(plan);
        expect(deliver([...once, ...once], policy)).to.deep.equal(deliver(once, policy));
      }),
      RUNS,
    ));

  it('received in order, with receipts before or after any message, shows the same customer and timeline', () => {
    const cases = chainPlans().chain((plan) => {
      const once = notificationsOf(plan);
      const places = fc.array(fc.constantFrom('before', 'after', 'none'), {
        minLength: once.length,
        maxLength: once.length,
      });
      return fc.record({ once: fc.constant(once), places, policy: policies });
    });
    fc.assert(
      fc.property(cases, ({ once, places, policy }) => {
        const mixed = once.flatMap((n, i): readonly Message[] => {
          const [receipt] = receiptsOf([n]);
          if (!receipt || places[i] === 'none') return [n];
          return places[i] === 'before' ? [receipt, n] : [n, receipt];
        });
        expect(shown(deliver(mixed, policy)), named(mixed)).to.deep.equal(shown(deliver(once, policy)));
      }),
      RUNS,
    );
  });

  it('received in any order has the same transactions, money and access at the end', () => {
    const cases = chainPlans().chain((plan) => {
      const once = notificationsOf(plan);
      const cut = fc.integer({ min: 1, max: once.length });
      const size = once.length * 3;
      const all = [...Array(size).keys()];
      const order = fc.shuffledSubarray(all, { minLength: size });
      return fc.record({ once: fc.constant(once), cut, order, policy: policies });
    });
    fc.assert(
      fc.property(cases, ({ once, cut, order, policy }) => {
        const part = once.slice(0, cut);
        // Each notification twice, and the receipt of each. Devices know no days of grace: their receipts of refunds are left out.
        const receipts = receiptsOf(part).filter((t) => t.revocationDate === undefined);
        const messages: readonly Message[] = [...part, ...part, ...receipts];
        const shuffled = order.flatMap((i) => (i < messages.length ? messages[i] : undefined) ?? []);
        const endMs = (part.at(-1)?.signedDate ?? 0) + 1;
        const found = deliver(shuffled, policy);
        const inOrder = deliver(part, policy);
        expect(sum(found, endMs), named(shuffled)).to.deep.equal(sum(inOrder, endMs));
        expect(shown(found), named(shuffled)).to.deep.equal(shown(inOrder));
      }),
      RUNS,
    );
  });
});
