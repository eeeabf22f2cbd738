// Simulated customer life: the rules that decide real customers, on a state in memory. Nothing is stored.
import { logPosition, type Actor, type RecordedEvent } from '../envelope.js';
import { Rejection } from '../errors.js';
import { streams } from '../streams.js';
import { grantDeadline, nextDeadline } from '../subscriber/access.js';
import type { SubscriberCommand } from '../subscriber/decide/commands.js';
import { subscriberDecider } from '../subscriber/decide/decider.js';
import type { SubscriberEvent } from '../subscriber/events/events.js';
import { evolve } from '../subscriber/state/evolve.js';
import type { Profile, Subscriber } from '../subscriber/state/state.js';
import { isoFromMs, latest, msFromIso } from '../time.js';
import { SIMULATED_CUSTOMER, type LifeScript, type LifeStep } from './life-script.js';
import { commandOf } from './step-commands.js';

const SIMULATED_USER = 'simulated';

/** `steps[i]`: number of the step that led to event i, from 0; null for an event by time alone. */
export type SimulatedLife = {
  readonly events: readonly RecordedEvent<SubscriberEvent>[];
  readonly steps: readonly (number | null)[];
  /** Numbers of steps that changed nothing. */
  readonly idleSteps: readonly number[];
  /** Instant of the last event, ISO 8601 UTC. */
  readonly until: string;
};

/** A subscription that nobody renews has a few deadlines; more would be an endless loop. */
const MAX_DEADLINES = 100;

type Cause = { readonly step: number | null; readonly actor: Actor };
const byStore: Actor = { kind: 'store', id: SIMULATED_USER };
const bySupport: Actor = { kind: 'system', id: SIMULATED_USER };
const byClock: Actor = { kind: 'system', id: 'deadlines' };

/**
 * Runs the script until nothing is left to happen by time alone. The steps must be in the order of their times. Throws {@link Rejection}
 * `invalid` for a step that is not possible.
 */
export function simulateLife(script: LifeScript): SimulatedLife {
  const { steps } = script;
  const run = createRun(script.projectId);
  const [first] = steps;
  if (!first) throw new Rejection('invalid', 'no-steps', 'steps must contain at least one step');
  const register = {
    kind: 'registerCustomer' as const,
    appUserId: script.appUserId,
    source: 'api' as const,
    at: first.at,
  };
  run.apply(register, first.at, { step: 0, actor: bySupport });
  const idleSteps = steps.flatMap((step, index) => {
    run.passDeadlines(step.at, script.slackMs);
    const command = commandOf(step, { script, state: run.state(), index });
    const count = run.apply(command, step.at, { step: index, actor: actorOf(step) });
    return count === 0 ? [index] : [];
  });
  run.passDeadlines(null, script.slackMs);
  return { ...run.found(), idleSteps };
}

function actorOf({ what }: LifeStep): Actor {
  return what === 'grant' || what === 'transfer' || what === 'command' ? bySupport : byStore;
}

function createRun(projectId: string) {
  const stream = streams.subscriber(projectId, SIMULATED_CUSTOMER);
  const events: RecordedEvent<SubscriberEvent>[] = [];
  const steps: (number | null)[] = [];
  let state: Subscriber = subscriberDecider.initial();
  let clock = '';

  const apply = (command: SubscriberCommand, at: string, { step, actor }: Cause): number => {
    clock = latest(clock, at);
    const recordedAt = clock;
    const decided = subscriberDecider.decide(command, state);
    const commandId = `simulated_${events.length + 1}`;
    for (const { type, data, at: tookEffect = at, ...marks } of decided) {
      const place = events.length;
      const meta = { at: tookEffect, recordedAt, actor, commandId, causationId: commandId, correlationId: commandId };
      const event = {
        ...{ id: `event_${place + 1}`, v: 1, type, data, stream, revision: place },
        position: logPosition(place + 1),
        meta: { ...meta, projectId, ...marks },
      } as RecordedEvent<SubscriberEvent>;
      state = evolve(state, event);
      events.push(event);
      steps.push(step);
    }
    return decided.length;
  };

  /** Processes the deadlines before `now`; all of them for null. */
  const passDeadlines = (now: string | null, slackMs: number): void => {
    for (let count = 0; count < MAX_DEADLINES; count++) {
      const [due] = deadlinesOf(state.profile, slackMs).toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
      if (!due || (now !== null && due.dueAt > now)) return;
      const { target, at: expectedAt, dueAt } = due;
      const command = { kind: 'passDeadline' as const, target, expectedAt, dueBefore: dueAt };
      if (apply(command, dueAt, { step: null, actor: byClock }) === 0) return;
    }
  };

  return { apply, passDeadlines, state: () => state, found: () => ({ events, steps, until: clock }) };
}

type Due = { readonly target: string; readonly at: string; readonly dueAt: string };

function deadlinesOf({ subscriptions, grants }: Profile, slackMs: number): readonly Due[] {
  const lines = subscriptions.flatMap((s): Due[] => {
    const found = nextDeadline(s);
    if (!found) return [];
    return [{ target: s.purchase.subscriptionId, at: found.at, dueAt: isoFromMs(msFromIso(found.at) + slackMs) }];
  });
  const promotions = grants.flatMap((g): Due[] => {
    const found = grantDeadline(g);
    return found ? [{ target: g.grantId, at: found.at, dueAt: found.at }] : [];
  });
  return [...lines, ...promotions];
}
