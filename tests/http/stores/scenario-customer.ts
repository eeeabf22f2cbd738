// The customer of a scenario, as support and webhooks see them, on a time line in days since the scenario's start.
import { expect } from 'chai';
import type { Harness, Slice } from '../support/harness.js';
import type { SetClock } from '../support/manual-clock.js';
import type { SentKinds } from '../support/webhook-messages.js';

const DAY_MS = 86_400_000;

export type ScenarioGround = {
  readonly harness: Harness;
  readonly clock: SetClock;
  readonly slice: Slice;
  readonly sentKinds: SentKinds;
};

type Entry = { readonly type: string; readonly at: string; readonly data: Record<string, unknown> };

/** `search` finds one customer only. The scenario starts at the instant at which the clock stands. */
export function scenarioCustomer({ harness, clock, slice, sentKinds }: ScenarioGround, search: string) {
  const start = clock.now();
  const as = { key: slice.secretKey };
  const path = `/v1/projects/${slice.projectId}/customers`;
  const ms = (day: number) => start + Math.round(day * DAY_MS);
  const customer = async () => {
    const { body } = await harness.call('GET', `${path}?search=${search}`, undefined, as);
    expect(body.items, `customers found by ${search}`).to.have.length(1);
    return (await harness.call('GET', `${path}/${body.items[0].id}`, undefined, as)).body;
  };
  const timeline = async (): Promise<readonly Entry[]> => {
    const { id } = await customer();
    return (await harness.call('GET', `${path}/${id}/timeline?order=oldest&limit=100`, undefined, as)).body.items;
  };

  return {
    /** The instant of a day, in milliseconds since the epoch. */
    ms,
    customer,
    timeline,
    /** Expects the state of the newest subscription and the access to `pro` on this day, as support sees them. */
    see: async (day: number, state: string, hasAccess: boolean) => {
      clock.set(ms(day));
      const { subscriptions, entitlements } = await customer();
      const pro = entitlements.find((e: { lookupKey: string }) => e.lookupKey === 'pro');
      expect([subscriptions.at(-1)?.state, pro?.active ?? false], `on day ${day}`).to.deep.equal([state, hasAccess]);
    },
    /** All events but the customer's creation: `SubscriptionStarted T+0`. */
    events: async () => {
      const [created, ...others] = await timeline();
      expect(created?.type).to.equal('CustomerCreated');
      return others.map((e) => `${e.type} T+${(Date.parse(e.at) - start) / DAY_MS}`);
    },
    /** Returns the webhook types with their reasons, for example `CANCELLATION UNSUBSCRIBE`. */
    kinds: async () => sentKinds.about((await customer()).appUserId),
    /** The data of the only event of a type. */
    dataOf: async (type: string) => {
      const found = (await timeline()).filter((e) => e.type === type);
      expect(found, type).to.have.length(1);
      return found[0]?.data;
    },
  };
}
