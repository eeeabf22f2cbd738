// Random lives of one subscription without a log: as the store's notifications tell them, and as facts of a file are imported.
import { translateIosNotification } from '../../../src/commands/stores/ios/translator/translator.js';
import { updatesOf } from '../../../src/commands/subscribers/purchase-lines.js';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import { decideAll } from '../../../src/domain/decider.js';
import type { IosNotification } from '../../../src/adapters/ios-store/port.js';
import { chainUpdates } from '../../../src/domain/imports/chain-updates.js';
import type { ImportedFact } from '../../../src/domain/imports/facts.js';
import { periodsIn } from '../../../src/domain/imports/known-periods.js';
import { planCustomer } from '../../../src/domain/imports/plan-customer.js';
import type { App } from '../../../src/domain/project/events.js';
import type { StoreUpdate } from '../../../src/domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { entitlementsAt, type EntitlementRules } from '../../../src/domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { noSubscriber, type Subscriber } from '../../../src/domain/subscriber/state/state.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { notificationsOf, type ChainPlan } from '../../commands/stores/ios/random-chain.js';
import { contextOf, dayMs, DAY_MS } from '../../commands/stores/ios/samples.js';

const LAST_DAY = 900;
export const NOW = isoFromMs(dayMs(LAST_DAY));

export type Life = { readonly state: Subscriber; readonly events: readonly SubscriberEvent[] };

export const context = contextOf({ refundPolicy: 'revoke_immediately' });
const androidApp: App = { ...context.app, appId: 'app_2', store: 'android-store' };
const rules: EntitlementRules = {
  unlocks: (_, storeProductId) => [{ entitlementId: storeProductId, lookupKey: storeProductId }],
  productIdOf: () => null,
  exists: () => true,
  allowsSandbox: true,
};

export const nobody: Life = { state: noSubscriber, events: [] };

/** The life as the store's notifications tell it, in order. With `passes`, deadlines pass in between as well. */
export function liveOf(plan: ChainPlan, passes = false): Life {
  return withMessages(nobody, notificationsOf(plan), passes);
}

/** The life with further messages of the store. */
export function withMessages(before: Life, messages: readonly IosNotification[], passes: boolean): Life {
  const introduce = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'store' as const };
  return messages.reduce((life, notification) => {
    const translated = translateIosNotification(notification, context);
    const { storeChainId = '', commands = [] } = translated ?? {};
    const passedBefore = passes ? { passedBefore: isoFromMs(notification.signedDate) } : {};
    const record = {
      kind: 'recordStoreUpdates' as const,
      storeChainId,
      updates: updatesOf(commands),
      ...passedBefore,
    };
    return add(life, decideAll(subscriberDecider, [introduce, record], life.state));
  }, before);
}

/** The life with a further update of its purchase line, which may be late. */
export function withUpdate(life: Life, update: StoreUpdate): Life {
  const [storeChainId] = life.state.histories.keys();
  if (storeChainId === undefined) return life;
  const record = { kind: 'recordStoreUpdates' as const, storeChainId, updates: [update] };
  return add(life, decideAll(subscriberDecider, [record], life.state));
}

/** Events have ids, as in the log, so that a revision can name them. */
function add({ state, events }: Life, decided: readonly SubscriberEvent[]): Life {
  const stored = decided.map((event, i) => ({ ...event, id: `event-${events.length + i}` }));
  return { state: stored.reduce(subscriberDecider.evolve, state), events: [...events, ...stored] };
}

/** Imports facts of one customer, at least one, at the instant `now`; `before`: what is recorded here already. */
export function importFacts([first, ...others]: readonly ImportedFact[], now = NOW, before = nobody): Life {
  if (!first) throw new Error('a life has at least one transaction');
  const { projectId, app, hash } = context;
  const catalog = context.catalog ?? catalogDecider.initial();
  const options = { sandbox: 'keep', usd: 'keep', otherStores: 'skip', appIds: [] } as const;
  const ctx = { projectId, catalog, apps: [app, androidApp], hash, now, options };
  const plan = planCustomer([first, ...others], ctx, () => false);
  const introduce = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'import' as const };
  const records = plan.lines.map(({ storeChainId, transactions }) => {
    const known = periodsIn(before.state.histories.get(storeChainId)?.updates ?? []);
    const updates = chainUpdates(transactions, { projectId, storeChainId, hash, now }, known);
    return { kind: 'recordStoreUpdates' as const, storeChainId, updates, passedBefore: now };
  });
  return add(before, decideAll(subscriberDecider, [introduce, ...records], before.state));
}

/** Amounts of money by transaction, whatever subscription they belong to. */
export function chargesOf({ state }: Life) {
  return [...state.transactions.values()]
    .map(({ transactionId, purchasedAt, money, refund }) => {
      return `${transactionId} ${purchasedAt} ${money.currency} ${money.amountMicros} refunded ${refund?.share ?? 0}`;
    })
    .sort();
}

/** Days on which the customer has access, by entitlement. */
export function accessOf({ state }: Life): readonly string[] {
  const days = Array.from({ length: LAST_DAY }, (_, day) => isoFromMs(dayMs(0) + day * DAY_MS + 3_600_000));
  return days.flatMap((at) => {
    const active = entitlementsAt(state.profile, at, rules).filter(({ isActive }) => isActive);
    return active.map(({ lookupKey }) => `${at.slice(0, 10)} ${lookupKey}`);
  });
}
