// Steps of a subscriber's events, read from the log. Recently read streams are cached, so that a series of events needs one read each of its
// new events.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { RecordedEvent, Revision, StreamName } from '../../domain/envelope.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import {
  evolveStepState,
  initialStepState,
  stepBetween,
  type StepState,
  type SubscriberStep,
} from '../../domain/webhook/event-steps.js';
import { ofFamily } from '../../domain/vocabulary.js';

type CachedState = { readonly revision: Revision | undefined; readonly state: StepState };

const NOTHING_READ: CachedState = { revision: undefined, state: initialStepState };
const MAX_CACHED = 5000;

export type SubscriberSteps = { stepOf(event: RecordedEvent<SubscriberEvent>): Promise<SubscriberStep> };

export function createSubscriberSteps(log: EventLog): SubscriberSteps {
  const cache = createBoundedCache<StreamName, CachedState>(MAX_CACHED);
  return {
    stepOf: async (event) => {
      const cached = cache.get(event.stream);
      let read = cached?.revision !== undefined && cached.revision < event.revision ? cached : NOTHING_READ;
      let before = read.state;
      let endsCommand = true;
      for await (const stored of log.read(event.stream, read.revision)) {
        const one = ofFamily(stored, 'subscriber');
        if (!one) continue;
        if (one.revision > event.revision) {
          endsCommand = one.meta.commandId !== event.meta.commandId;
          break;
        }
        before = read.state;
        read = { revision: one.revision, state: evolveStepState(read.state, one) };
      }
      cache.set(event.stream, read);
      return stepBetween(before, read.state, endsCommand);
    },
  };
}
