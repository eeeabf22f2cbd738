// A subscriber's state before and after an event, and the state that webhooks last sent. Recently read streams are cached, so that a series
// of events needs one read each of its new events.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { RecordedEvent, Revision, StreamName } from '../../domain/envelope.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile, type Profile } from '../../domain/subscriber/state/state.js';
import { evolveKnownCharges, type KnownCharges } from '../../domain/webhook/known-charges.js';

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

type CachedState = {
  readonly revision: Revision | undefined;
  readonly profile: Profile;
  readonly charges: KnownCharges;
  readonly commandId: string;
  readonly recordedAt: string;
  readonly lastSent: SubscriberStep['lastSent'];
};

const INITIAL_STATE: CachedState = {
  revision: undefined,
  profile: noProfile,
  charges: new Map(),
  commandId: '',
  recordedAt: '',
  lastSent: { profile: noProfile, at: '' },
};
const MAX_CACHED = 5000;

export type SubscriberSteps = { stepOf(event: RecordedEvent<SubscriberEvent>): Promise<SubscriberStep> };

export function createSubscriberSteps(log: EventLog): SubscriberSteps {
  const cache = createBoundedCache<StreamName, CachedState>(MAX_CACHED);
  return {
    stepOf: async (event) => {
      const cached = cache.get(event.stream);
      let read = cached?.revision !== undefined && cached.revision < event.revision ? cached : INITIAL_STATE;
      let before: Pick<CachedState, 'profile' | 'charges'> = read;
      let endsCommand = true;
      for await (const stored of log.read(event.stream, read.revision)) {
        const one = stored as unknown as RecordedEvent<SubscriberEvent>;
        if (one.revision > event.revision) {
          endsCommand = one.meta.commandId !== event.meta.commandId;
          break;
        }
        before = read;
        read = applyEvent(read, one);
      }
      cache.set(event.stream, read);
      return {
        before: before.profile,
        after: read.profile,
        charges: before.charges,
        lastSent: read.lastSent,
        endsCommand,
      };
    },
  };
}

function applyEvent(read: CachedState, event: RecordedEvent<SubscriberEvent>): CachedState {
  const { commandId, recordedAt } = event.meta;
  const isNext = commandId !== read.commandId;
  return {
    revision: event.revision,
    profile: evolveProfile(read.profile, event),
    charges: evolveKnownCharges(read.charges, event),
    commandId,
    recordedAt,
    lastSent: isNext ? { profile: read.profile, at: read.recordedAt } : read.lastSent,
  };
}
