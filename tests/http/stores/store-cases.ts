// Plays a case from `tests/fixtures/store-cases` on the whole service: what a store and devices send, and what callers see afterwards.
// `T` is the instant at which the clock stands, `T-20d` twenty days before.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { addDuration, isoFromMs } from '../../../src/domain/time.js';
import { notification, setUpProject, store, type Harness, type Json, type Slice } from '../support/harness.js';
import { listenForKinds } from '../support/webhook-messages.js';

const FIXTURES = join(import.meta.dirname, '../../fixtures/store-cases');
const DAY_MS = 86_400_000;
const DATE_FIELDS = /^(.*Date|at)$/;

export type StoreCase = {
  readonly name: string;
  readonly title: string;
  /** `m P1M`: a subscription and its duration; `lifetime`: a non-consumable. Each unlocks an entitlement of its own name. */
  readonly products: readonly string[];
  readonly steps: readonly Readonly<Record<string, Json>>[];
  /** True if the result is the same in every order of the steps. */
  readonly anyOrder: boolean;
  readonly expected: Readonly<Record<string, Json>>;
  /** Differences in the given order of the steps: webhooks were sent before all updates were known, and are sent again. */
  readonly expectedInGivenOrder?: Readonly<Record<string, Json>>;
};

type Sender = (harness: Harness, slice: Slice, fields: Json) => Promise<void>;
export type Senders = Readonly<Record<string, Sender>>;

export function storeCases(prefix: string): readonly StoreCase[] {
  const names = readdirSync(FIXTURES).filter((file) => file.startsWith(prefix) && file.endsWith('.json'));
  return names.map((file) => {
    const text = readFileSync(join(FIXTURES, file), 'utf8');
    return { ...(JSON.parse(text) as Omit<StoreCase, 'name'>), name: file.slice(0, -'.json'.length) };
  });
}

/** Every payload names this customer, so that nothing is about an anonymous one at first. */
const CUSTOMER = 'f81d4fae-7dec-4d0e-a765-00a0c91e6bf6';

/** The simulated store fills in what is missing; a case means what it leaves out. */
const leftOut = { price: undefined, currency: undefined, transactionReason: undefined, expiresDate: undefined };
const asGiven = (transaction: Json) => ({ ...leftOut, appAccountToken: CUSTOMER, ...transaction });

/** Sends notifications of the ios-store and receipts of its devices. */
export const iosSenders: Senders = {
  notification: async ({ call }, { notificationPath }, { transaction, renewalInfo, ...outer }) => {
    const parts =
      transaction === undefined ? { data: undefined } : { transaction: asGiven(transaction), renewal: renewalInfo };
    const { status, body } = await call('POST', notificationPath, notification({ ...parts, ...outer }));
    expect([status, body]).to.deep.equal([200, {}]);
  },
  receipt: async ({ call }, { secretKey: key }, { store: kind, transaction }) => {
    const receipt = store.signedTransaction(asGiven(transaction));
    const path = `/v1/subscribers/${CUSTOMER}/receipts`;
    const { status, body } = await call('POST', path, { store: kind, receipt }, { key });
    expect(status, JSON.stringify(body)).to.equal(200);
  },
};

/** All orders of up to three steps; of more, the given one and the reverse. */
export function ordersOf({ steps, anyOrder }: StoreCase): readonly StoreCase['steps'][] {
  if (!anyOrder) return [steps];
  return steps.length <= 3 ? permutations(steps) : [steps, steps.toReversed()];
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Returns the expected result for an order, by its index in {@link ordersOf}. */
export function expectedIn({ expected, expectedInGivenOrder }: StoreCase, order: number): StoreCase['expected'] {
  return order === 0 ? { ...expected, ...expectedInGivenOrder } : expected;
}

/** Plays the steps in a project of their own. The keys of the result are those of `expected`. */
export async function playSteps(
  harness: Harness,
  senders: Senders,
  { products, expected }: Pick<StoreCase, 'products' | 'expected'>,
  steps: StoreCase['steps'],
  nowMs: number,
): Promise<Record<string, Json>> {
  const slice = await setUpProject(harness);
  await sell(harness, slice, products);
  await harness.call('POST', `/v1/subscribers/${CUSTOMER}`, {}, { key: slice.secretKey });
  const sent = await listenForKinds(harness, slice);
  for (const step of steps)
    for (const [kind, fields] of Object.entries(step)) {
      const send = senders[kind];
      if (!send) throw new Error(`no sender for steps of the kind ${kind}`);
      await send(harness, slice, withInstants(fields, nowMs));
      await harness.service().idle();
    }
  const seen = observer(harness, slice, nowMs, async () => [...(await sent.about(CUSTOMER))].sort());
  const outcome: Record<string, Json> = {};
  for (const key of Object.keys(expected)) outcome[key] = await seen[key]?.();
  return outcome;
}

async function sell({ call }: Harness, { projectId, appId, secretKey: key }: Slice, products: readonly string[]) {
  const base = `/v1/projects/${projectId}`;
  for (const named of products) {
    const [storeProductId = '', duration] = named.split(' ');
    const kind = duration === undefined ? { type: 'non_consumable' } : { type: 'subscription', duration };
    const product = { appId, storeProductId, displayName: storeProductId, ...kind };
    const { body } = await call('POST', `${base}/products`, product, { key });
    await call('POST', `${base}/entitlements`, { lookupKey: storeProductId, displayName: storeProductId }, { key });
    await call('POST', `${base}/entitlements/${storeProductId}/products`, { productId: body.id }, { key });
  }
}

function withInstants(value: Json, nowMs: number, field = ''): Json {
  if (Array.isArray(value)) return value.map((one) => withInstants(one, nowMs, field));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withInstants(one, nowMs, name)]));
  return DATE_FIELDS.test(field) && typeof value === 'string' ? msOf(value, nowMs) : value;
}

function msOf(text: string, nowMs: number): number {
  const days = /^T(?:([+-]\d+)d)?$/.exec(text);
  if (!days) throw new Error(`${text} is not an instant such as T-20d`);
  return nowMs + Number(days[1] ?? 0) * DAY_MS;
}

function observer(
  { call }: Harness,
  { projectId, secretKey: key }: Slice,
  nowMs: number,
  webhooks: () => Promise<readonly string[]>,
): Readonly<Record<string, () => Promise<Json>>> {
  const get = async (path: string) => {
    const { status, body } = await call('GET', `/v1/projects/${projectId}${path}`, undefined, { key });
    expect(status, path).to.equal(200);
    return body;
  };
  const day = (iso: string) => {
    const days = (Date.parse(iso) - nowMs) / DAY_MS;
    return `T${days < 0 ? '' : '+'}${days}d`;
  };
  const today = isoFromMs(nowMs).slice(0, 10);
  const figure = async (chart: string, measure: string, from = today) => {
    const { buckets } = await get(`/metrics/charts/${chart}?startDate=${from}&endDate=${today}&interval=day`);
    const sum = buckets.reduce((total: number, { values }: Json) => total + values[measure], 0);
    return Math.round(sum * 100) / 100;
  };
  return {
    access: async () => {
      const { entitlements } = await get(`/customers/${CUSTOMER}`);
      const active = entitlements.filter((e: Json) => e.active);
      return active
        .map((e: Json) => `${e.lookupKey} ${e.expiresAt === null ? 'for ever' : `until ${day(e.expiresAt)}`}`)
        .join();
    },
    events: async () => {
      const { items } = await get(`/customers/${CUSTOMER}/timeline?order=oldest&limit=100`);
      const ofPurchases = items.filter(({ type }: Json) => !type.startsWith('Customer'));
      const key = ({ at, type }: Json) => `${at} ${type}`;
      const sorted = ofPurchases.sort((a: Json, b: Json) => (key(a) < key(b) ? -1 : 1));
      return sorted.map(({ type, at }: Json) => `${type} ${day(at)}`);
    },
    renewal: async () => {
      const { subscriptions } = await get(`/customers/${CUSTOMER}`);
      const dated = (word: string, at: string | null) => (at === null ? [] : [`${word} ${day(at)}`]);
      return subscriptions.map((s: Json) =>
        [s.autoRenewStatus, ...dated('since', s.unsubscribedAt), ...dated('committed until', s.commitmentEndsAt)].join(
          ' ',
        ),
      );
    },
    webhooks,
    transactions: async () => {
      const { items } = await get('/transactions?limit=100');
      const charges = items.filter(({ kind }: Json) => kind !== 'refund');
      const refunded = new Set(items.filter(({ kind }: Json) => kind === 'refund').map(({ id }: Json) => id));
      const named = charges.map(({ id, amount, refundedUsd }: Json) => {
        return `${id} ${amount}${refunded.has(id) ? ` refunded ${refundedUsd}` : ''}`;
      });
      return named.sort();
    },
    outcomes: async () => (await get('/notifications')).items.map(({ outcome }: Json) => outcome),
    actives: () => figure('actives', 'active_subscriptions'),
    mrr: () => figure('mrr', 'mrr'),
    revenue: () => figure('revenue', 'revenue', addDuration(isoFromMs(nowMs), 'P-90D').slice(0, 10)),
  };
}
