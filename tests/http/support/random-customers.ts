// Random customers of a project, for specs on what callers see: all their amounts and words can be told from anything else.
import { expect } from 'chai';
import type { Chance } from '../../projections/support/seeded-random.js';
import {
  BUNDLE_ID,
  MONTHLY,
  notification,
  store,
  type Credentials,
  type Harness,
  type Json,
  type Slice,
} from './harness.js';
import type { createManualClock } from './manual-clock.js';
import { poll } from '../../fixtures/poll.js';

const HOUR = 3600_000;
/** Thousandths; no other number of a response has these digits. */
const PRICES = [13_370, 27_810, 41_930];
export const AMOUNTS = /13\.37|27\.81|41\.93|13370|27810|41930/;
/** Words that occur only in attributes and properties of custom events. */
export const WORDS = /sesame|secretdish|hidden-mail/;
/** Beginning of data signed by a store. */
export const SIGNED = /eyJ[A-Za-z0-9_-]{20}/;

type Stage = {
  readonly harness: Harness;
  readonly slice: Slice;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly random: Chance;
  /** False: nobody gives a purchase away. */
  readonly hasTransfers?: boolean;
};

/** Maximum duration of a customer's history. */
export const MAX_HISTORY_MS = 6 * HOUR;

/** The customers are called `life-0` and so on. Returns the ids of their transactions. */
export async function playLives(
  { harness, slice, clock, random, hasTransfers = true }: Stage,
  count: number,
): Promise<readonly string[]> {
  const transactions: string[] = [];
  const asKey = { key: slice.secretKey };
  const sdk = (path: string, body: object) => harness.call('POST', `/v1/subscribers/${path}`, body, asKey);
  const nextId = () => {
    const id = `55${transactions.length}`;
    transactions.push(id);
    return id;
  };
  for (let n = 0; n < count; n++) {
    await live(n);
    clock.set(clock.now() + HOUR);
  }
  return transactions;

  /** A customer with a mail and a dish, who buys, renews, gets money back, is granted something or gives a purchase away, by chance. */
  async function live(n: number) {
    const who = `life-${n}`;
    await sdk(who, { attributes: { $email: `hidden-mail-${n}@example.com`, secretdish: `sesame soup ${n}` } });
    await harness.call(
      'POST',
      '/v1/events',
      { name: 'ordered', appUserId: who, properties: { dish: 'sesame roll' } },
      asKey,
    );
    await harness.call('GET', `/v1/subscribers/${who}/offerings`, undefined, { key: slice.publicKey });
    const first = nextId();
    const price = PRICES[random.below(PRICES.length)] ?? 0;
    let at = clock.now();
    const period = (transactionId: string) => {
      const when = { purchaseDate: at, expiresDate: at + 2 * HOUR, originalPurchaseDate: at };
      return { transactionId, originalTransactionId: first, productId: MONTHLY, price, currency: 'USD', ...when };
    };
    const notify = async (notificationType: string, transaction: object, subtype?: string) => {
      clock.set(Math.max(clock.now(), at) + 1000);
      const named = { notificationType, ...(subtype !== undefined && { subtype }), signedDate: clock.now() };
      const sent = notification({ ...named, transaction } as Parameters<typeof notification>[0]);
      expect((await harness.call('POST', slice.notificationPath, sent)).status).to.equal(200);
      await harness.service().waitForReactions();
    };
    const receipt = store.signedTransaction({ bundleId: BUNDLE_ID, ...period(first) });
    expect((await sdk(`${who}/receipts`, { store: 'ios-store', receipt })).status).to.equal(200);
    for (let step = 0; step < 4; step++) {
      const what = random.below(6);
      if (what === 0) {
        at = clock.now() + HOUR;
        const id = nextId();
        clock.set(at);
        await notify('DID_RENEW', period(id));
      } else if (what === 1) {
        const refunded = { ...period(first), revocationDate: clock.now(), revocationReason: 1 };
        await notify('REFUND', refunded);
      } else if (what === 2) await sdk(`${who}/attributes`, { attributes: { secretdish: `sesame ${step}` } });
      else if (what === 3) await sdk(`${who}/entitlements`, { entitlementId: 'pro', duration: 'daily' });
      else if (what === 4 && n > 0 && hasTransfers) {
        const body = { transactionId: first, reason: 'Bought with another account' };
        const path = `/v1/projects/${slice.projectId}/customers/life-${n - 1}/purchases/transfer`;
        await harness.call('POST', path, body, asKey);
      } else await harness.call('POST', '/v1/events', { name: 'opened', appUserId: who }, asKey);
    }
  }
}

/** Resolves once all that was to be sent was sent, and written down as such. */
async function allSent(deliveriesOf: () => Promise<readonly Json[]>): Promise<void> {
  const isSent = ({ state }: Json) => state === 'delivered';
  await poll(deliveriesOf, (deliveries) => deliveries.length > 0 && deliveries.every(isSent));
}

/** Every address under which something is told about those customers. */
export async function pathsAbout(
  { harness, slice }: Pick<Stage, 'harness' | 'slice'>,
  owner: Credentials,
  lifeCount: number,
  transactions: readonly string[],
  now: number,
): Promise<readonly string[]> {
  const base = `/v1/projects/${slice.projectId}`;
  const get = async (path: string) => (await harness.call('GET', path, undefined, owner)).body;
  const webhooks = (await get(`${base}/webhooks`)).items.map((w: Json) => `${base}/webhooks/${w.id}`);
  for (const w of webhooks) await allSent(async () => (await get(`${w}/deliveries?limit=100`)).items);
  const lists = await Promise.all(webhooks.map(async (w: string) => [w, await get(`${w}/deliveries?limit=30`)]));
  const deliveries = lists.flatMap(([w, { items }]) => items.map((d: Json) => `${w}/deliveries/${d.id}`));
  const experiments = (await get(`${base}/experiments`)).items.map((e: Json) => `${base}/experiments/${e.id}`);
  const lives = Array.from({ length: lifeCount }, (_, n) => `life-${n}`);
  const ofLives = lives.flatMap((who) => {
    const path = `/v1/projects/${slice.projectId}/customers/${who}`;
    const before = `asOf=${new Date(now - 1000).toISOString()}`;
    const own = [path, `${path}?${before}`, `${path}/timeline?limit=100`, `${path}/timeline?order=oldest&${before}`];
    return [...own, `${path}/access?entitlement=pro`, `/v1/subscribers/${who}`, `/v1/subscribers/${who}?${before}`];
  });
  const single = transactions.map((id) => `${base}/transactions/${id}`);
  const found = await get(`${base}/notifications?limit=100`);
  const notifications = found.items.map((one: Json) => `${base}/notifications/${one.id}`);
  const rest = [
    '/customers?limit=100',
    '/transactions?limit=100',
    '/apps',
    `/apps/${slice.appId}`,
    '/events',
    '/notifications',
  ];
  const all = [...rest.map((path) => `${base}${path}`), ...webhooks, `${base}/webhooks`, ...experiments];
  return [...all, ...lists.map(([w]) => `${w}/deliveries`), ...deliveries, ...ofLives, ...single, ...notifications];
}
