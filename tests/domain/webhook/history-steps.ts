// The webhook messages of a customer's history: each event as recorded, with the state before and after it.
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import type { SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { evolveProfile } from '../../../src/domain/subscriber/state/evolve.js';
import { noProfile, type Profile } from '../../../src/domain/subscriber/state/state.js';
import { activeEntitlements } from '../../../src/domain/webhook/entitlement-changed.js';
import { evolveKnownCharges, type KnownCharges } from '../../../src/domain/webhook/known-charges.js';
import { messagesOf, type Message } from '../../../src/domain/webhook/messages.js';
import { customer, day } from '../subscriber/samples.js';

export const PRO = { entitlementId: 'ent_1', lookupKey: 'pro' };
const rules = { unlocks: () => [PRO], productIdOf: () => null, exists: () => true, allowsSandbox: true };

function recorded(event: SubscriberEvent, revision: number): RecordedEvent<SubscriberEvent> {
  const at = event.at ?? day(0);
  const actor = { kind: 'system' as const, id: 'tests' };
  const ids = { commandId: `c${revision}`, causationId: 'c', correlationId: 'c' };
  const { late, ...plain } = event;
  const meta = { at, recordedAt: at, actor, ...ids, projectId: 'proj_1', ...(late && { late }) };
  const place = { stream: streams.subscriber('proj_1', 'cus_alice'), revision, position: '' };
  return { id: `e${revision}`, v: 1, ...plain, meta, ...place } as unknown as RecordedEvent<SubscriberEvent>;
}

export type HistoryStep = {
  readonly event: RecordedEvent<SubscriberEvent>;
  readonly after: Profile;
  readonly charges: KnownCharges;
  readonly messages: readonly Message[];
};

/** Returns the steps of a history that begins with the creation of the customer, each event from a command of its own. */
export function historySteps(...events: readonly SubscriberEvent[]): readonly HistoryStep[] {
  let profile: Profile = noProfile;
  let known: KnownCharges = new Map();
  let lastSent = { profile, at: '' };
  return [customer, ...events].map((one, revision) => {
    const event = recorded(one, revision);
    const before = profile;
    const charges = known;
    known = evolveKnownCharges(known, event);
    profile = evolveProfile(profile, event);
    const access = {
      before: activeEntitlements(lastSent.profile, lastSent.at, rules),
      after: activeEntitlements(profile, event.meta.recordedAt, rules),
    };
    lastSent = { profile, at: event.meta.recordedAt };
    const messages = messagesOf({
      event,
      before,
      after: profile,
      charges,
      sold: ({ productId }) => ({ productId, lookupKeys: ['pro'] }),
      nameOf: (id) => `name of ${id}`,
      access,
    });
    return { event, after: profile, charges, messages };
  });
}
