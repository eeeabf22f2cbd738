// Plays a case of tests/fixtures/android-cases on the scenario ground: what the simulated store shows, pushes and receipts, in their order.
// `T` is the instant at which the case ends, `T-20d` is twenty days before it.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { pushBody } from '../../../../simulator/android-store/payloads.js';
import type { setUpAndroidScenarios } from './scenarios.js';
import { PACKAGE } from './scenario.js';

type Fields = Readonly<Record<string, unknown>>;
type Step = {
  readonly store?: Fields | readonly Fields[];
  readonly voided?: readonly Fields[];
  readonly order?: Fields & { readonly orderId: string };
  readonly push?: Fields & { readonly at: string };
  readonly receipt?: Fields & { readonly appUserId: string; readonly daysBefore?: number };
};
type Entry = { readonly type: string; readonly at: string; readonly data: Fields };

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1000 };
const CASE_LASTS_MS = 110 * 86_400_000;

/** Ends with the clock at `T`. Names of tokens, orders and users are made the case's own. */
export async function playCase(ground: ReturnType<typeof setUpAndroidScenarios>, name: string) {
  const { store, clock, call, harness } = ground;
  const end = clock.now() + CASE_LASTS_MS;
  const own = (text: string) => text.replace(/tok-|GPA\.|user-\d/g, (found) => `${found}${name}-`);
  const path = new URL(`../../../fixtures/android-cases/${name}.json`, import.meta.url);
  const { steps } = JSON.parse(own(readFileSync(path, 'utf8'))) as { steps: readonly Step[] };
  const user = own('user-1');
  const shelves = new Map<string, Fields>();
  let messages = 0;

  const msOf = (at: string) =>
    [...at.slice(1).matchAll(/([+-])(\d+)(d|h|min|s)/g)].reduce(
      (ms, [, sign, n, unit = '']) => ms + (sign === '-' ? -1 : 1) * Number(n) * (UNIT_MS[unit] ?? 0),
      end,
    );
  const timed = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string' && /^T([+-]\d+(d|h|min|s))*$/.test(value))
      return key.endsWith('Millis') ? String(msOf(value)) : new Date(msOf(value)).toISOString();
    if (Array.isArray(value)) return value.map((one) => timed(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, timed(v, k)]));
  };
  const show = (fields: Fields) => {
    const { token, sku, ...resource } = { ...shelves.get(String(fields['token'])), ...fields };
    shelves.set(String(token), { token, ...(sku !== undefined && { sku }), ...resource });
    const shown = timed(resource) as Fields;
    if (sku === undefined) store().subscriptions.set(String(token), shown);
    else store().products.set(String(token), { productId: String(sku), resource: shown });
  };
  const push = async ({ at, ...kind }: Fields & { readonly at: string }) => {
    clock.set(msOf(at));
    const body = pushBody({ packageName: PACKAGE, atMs: msOf(at), messageId: `${name}-${at}-${++messages}`, kind });
    const response = await harness().call('POST', ground.notificationPath(), body);
    expect(response.status).to.equal(200);
    await harness().service().idle();
  };

  clock.set(end - CASE_LASTS_MS);
  await call('POST', `/v1/subscribers/${user}`, {});
  for (const step of steps) {
    for (const fields of [step.store ?? []].flat()) show(fields);
    store().voided.push(...((timed(step.voided ?? []) as Fields[]) ?? []));
    if (step.order) {
      const { orderId } = step.order;
      store().orders.set(orderId, { ...store().orders.get(orderId), ...(timed(step.order) as Fields) });
    }
    if (step.push) await push(step.push);
    if (step.receipt) {
      clock.set(Math.max(clock.now(), end - (step.receipt.daysBefore ?? 3) * 86_400_000));
      const { appUserId, daysBefore: _, ...receipt } = step.receipt;
      await call('POST', `/v1/subscribers/${appUserId}/receipts`, { ...receipt, appId: ground.appId() });
    }
  }
  clock.set(end);
  await harness().service().idle();
  const customers = `${ground.base()}/customers`;
  const customer = await call('GET', `${customers}/${user}`);
  const timeline: readonly Entry[] = (await call('GET', `${customers}/${user}/timeline?order=oldest&limit=100`)).items;
  const days = (at: string) => Math.round(((Date.parse(at) - end) / UNIT_MS['d']!) * 1000) / 1000;
  return {
    user,
    customer,
    timeline,
    msOf,
    events: timeline
      .filter(({ type }) => type !== 'SubscriptionConfirmed' && type !== 'CustomerCreated')
      .map(({ type, at }) => `${type} T${days(at)}`),
    kinds: await ground.sentKinds().about(user),
    access: () => harness().call('GET', `/v1/subscribers/${user}`, undefined, { key: ground.slice().secretKey }),
  };
}
