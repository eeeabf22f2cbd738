// A subscriber's state before and after each event, and the state that webhooks last sent: what the messages of the event are made from.
import type { RecordedEvent } from '../envelope.js';
import type { EntitlementRules } from '../subscriber/entitlements.js';
import type { SubscriberEvent } from '../subscriber/events/events.js';
import { evolveProfile } from '../subscriber/state/evolve.js';
import { noProfile, type Profile } from '../subscriber/state/state.js';
import { activeEntitlements } from './entitlement-changed.js';
import type { MessageContext } from './event-fields.js';
import { evolveKnownCharges, type KnownCharges } from './known-charges.js';
import { productLookup } from './purchase-fields.js';

export type SubscriberStep = {
  readonly before: Profile;
  readonly after: Profile;
  /** Charges before the event. */
  readonly charges: KnownCharges;
  /** State after the previous command, and its time of recording: the state last sent to receivers. */
  readonly lastSent: { readonly profile: Profile; readonly at: string };
  /** True for the last event of a command: events of one command take effect together. */
  readonly endsCommand: boolean;
};

/** State after some events of a subscriber. */
export type StepState = {
  readonly profile: Profile;
  readonly charges: KnownCharges;
  readonly commandId: string;
  readonly recordedAt: string;
  readonly lastSent: SubscriberStep['lastSent'];
};

export const initialStepState: StepState = {
  profile: noProfile,
  charges: new Map(),
  commandId: '',
  recordedAt: '',
  lastSent: { profile: noProfile, at: '' },
};

export function evolveStepState(state: StepState, event: RecordedEvent<SubscriberEvent>): StepState {
  const { commandId, recordedAt } = event.meta;
  const isNext = commandId !== state.commandId;
  return {
    profile: evolveProfile(state.profile, event),
    charges: evolveKnownCharges(state.charges, event),
    commandId,
    recordedAt,
    lastSent: isNext ? { profile: state.profile, at: state.recordedAt } : state.lastSent,
  };
}

/** Returns the step between the states before and after an event. `endsCommand` as in {@link SubscriberStep}. */
export function stepBetween(before: StepState, after: StepState, endsCommand: boolean): SubscriberStep {
  const { profile, charges } = before;
  return { before: profile, after: after.profile, charges, lastSent: after.lastSent, endsCommand };
}

/** Returns the step of each event of a subscriber, from the first one. */
export function stepsOf(events: readonly RecordedEvent<SubscriberEvent>[]) {
  let state = initialStepState;
  return events.map((event, i) => {
    const before = state;
    state = evolveStepState(state, event);
    return { event, step: stepBetween(before, state, events[i + 1]?.meta.commandId !== event.meta.commandId) };
  });
}

/** Returns the context of an event's messages. `nameOf`: see {@link MessageContext}. */
export function messageContextOf(
  event: RecordedEvent<SubscriberEvent>,
  { before, after, charges, lastSent, endsCommand }: SubscriberStep,
  rules: EntitlementRules,
  nameOf: MessageContext['nameOf'],
): MessageContext {
  const access = endsCommand
    ? {
        before: activeEntitlements(lastSent.profile, lastSent.at, rules),
        after: activeEntitlements(after, event.meta.recordedAt, rules),
      }
    : null;
  return { event, before, after, charges, sold: productLookup(rules, after, event.meta.at), nameOf, access };
}
