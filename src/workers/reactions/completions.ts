// Reactions that complete changes over several streams, and the cleanup after an app or a project was deleted, which one event has decided.
// They are safe to repeat, and also end what a crash has interrupted.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { Deps } from '../../commands/handling/deps.js';
import { deleteImportsOf } from '../../commands/imports/import-records.js';
import { deleteVerificationOf } from '../../commands/imports/verification-records.js';
import { clearAfterApp } from '../../commands/projects/apps.js';
import { deleteChartReplaysOf } from '../../commands/projects/chart-replays.js';
import { deleteReportSourcesOfProject } from '../../commands/books/report-sources.js';
import { deleteCredentialsOfProject } from '../../commands/projects/credentials.js';
import { deleteSdkCalls } from '../../commands/projects/sdk-calls.js';
import type { MergedIntoEvent } from '../../commands/subscribers/complete-merge.js';
import { eraseKeys, isErased } from '../../commands/subscribers/erasure.js';
import { finishTransfer, type OwnerChangedEvent } from '../../commands/subscribers/line-ownership.js';
import type { LoadedState } from '../../commands/handling/run-command.js';
import { finishMerge } from '../../commands/subscribers/merge.js';
import { bookForPayer, concernsPayer } from '../../commands/subscribers/payers.js';
import { deleteWebhooksOfProject } from '../../commands/webhooks/webhooks.js';
import type { RecordedEvent, StreamName } from '../../domain/envelope.js';
import { remaining, touches } from '../../domain/events.js';
import { projectEvents } from '../../domain/project/events.js';
import { customerIdOf, type Family } from '../../domain/streams.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import type { Reaction } from './reaction.js';
import { ofFamily } from '../../domain/vocabulary.js';

const KEPT_STATES = 64;

/** Handles the events that `begins` selects, those of one stream in order. */
function completionOf<E extends RecordedEvent>(
  name: string,
  family: Family,
  begins: (event: RecordedEvent) => event is E,
  complete: (event: E) => Promise<void>,
): Reaction {
  return {
    name,
    families: [family],
    serialKeyOf: (event) => (begins(event) ? event.stream : null),
    handle: async (event) => {
      if (begins(event)) await complete(event);
    },
  };
}

export function ownershipReaction(deps: Deps): Reaction {
  return completionOf('ownership', 'purchase', isOwnerChanged, (event) => finishTransfer(deps, event));
}

export function mergesReaction(withoutStates: Deps): Reaction {
  // A customer of an import may get a thousand names, one event each.
  const deps = { ...withoutStates, keptStates: createBoundedCache<StreamName, LoadedState<Subscriber>>(KEPT_STATES) };
  return completionOf('merges', 'subscriber', isMergedInto, ({ meta, stream }) =>
    finishMerge(deps, meta.projectId ?? '', customerIdOf(stream)),
  );
}

/** Erases the data keys. Sent deliveries are erased by the fan-out, which handles events in order. */
export function erasuresReaction(deps: Deps): Reaction {
  return completionOf('erasures', 'subscriber', isErased, (event) => eraseKeys(deps, event));
}

/** Records money that moved at a purchase after it changed owners with the customer who had paid. */
export function payersReaction(deps: Deps): Reaction {
  return completionOf('payers', 'subscriber', concernsPayer, (event) => bookForPayer(deps, event));
}

function isOwnerChanged(event: RecordedEvent): event is OwnerChangedEvent {
  return event.type === 'PurchaseOwnerChanged';
}

function isMergedInto(event: RecordedEvent): event is MergedIntoEvent {
  return event.type === 'CustomerMergedInto';
}

export function deletionCleanupReaction(deps: Deps): Reaction {
  const deletionOf = (stored: RecordedEvent) => {
    const event = ofFamily(stored, 'project');
    return event && touches(projectEvents, event, 'cleanup') ? event : null;
  };
  return {
    name: 'deletion_cleanup',
    families: ['project'],
    serialKeyOf: (stored) => (deletionOf(stored) ? stored.stream : null),
    handle: async (stored) => {
      const event = deletionOf(stored);
      if (!event) return;
      const { actor, correlationId } = event.meta;
      const ctx = { actor, correlationId, causationId: event.id };
      if (event.type === 'ProjectDeleted') {
        await deleteCredentialsOfProject(deps, event.data.projectId);
        await deleteReportSourcesOfProject(deps, event.data.projectId);
        await deleteWebhooksOfProject(deps, event.data.projectId, ctx);
        await deleteChartReplaysOf(deps, event.data.projectId);
        await deleteSdkCalls(deps, event.data.projectId);
        await deleteImportsOf(deps, event.data.projectId);
        await deleteVerificationOf(deps, event.data.projectId);
      } else {
        remaining<'AppDeleted'>(event);
        await clearAfterApp(deps, event.meta.projectId ?? '', event.data.appId, ctx);
      }
    },
  };
}
