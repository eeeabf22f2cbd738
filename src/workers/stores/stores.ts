// The store work: two reactions, the store tasks, and store requests before expiries.
import type { Logger } from 'pino';
import {
  isReceived,
  INBOX_REACTION,
  lineOfNotification,
  processNotification,
} from '../../commands/stores/inbox/inbox.js';
import { createStoreCircuitBreakers } from '../../commands/stores/store-circuit-breaker.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { addStoreTask, wakeStoreTasks } from '../../commands/stores/tasks.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { touches } from '../../domain/events.js';
import { projectEvents } from '../../domain/project/events.js';
import { customerIdOf } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { Reaction } from '../reactions/reaction.js';
import { createStoreCheck, type CheckStore } from './check-store.js';
import { processOrQueueNotification, runDueStoreTasks, runStoreTasks, type StoreTaskDeps } from './store-tasks.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type StoreWork = {
  readonly reactions: readonly Reaction[];
  readonly checkStore: CheckStore;
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Executes all tasks that are due, once. */
  runTasks(signal: AbortSignal): Promise<void>;
};

export function createStoreWork(deps: StoreDeps, logger: Logger): StoreWork {
  const tasks = { deps, circuitBreakers: createStoreCircuitBreakers(deps.runtime), logger };
  return {
    reactions: [inboxReaction(tasks), credentialsReaction(tasks), refundQuestionsReaction(tasks)],
    checkStore: createStoreCheck(tasks),
    run: (signal) => runStoreTasks(tasks, signal),
    runTasks: (signal) => runDueStoreTasks(tasks, signal),
  };
}

/**
 * Processes stored notifications; those of one purchase line one after another. One that requires a store request becomes a task if the store
 * cannot be read now, so that none waits for the store of another.
 */
export function inboxReaction(o: StoreTaskDeps): Reaction {
  const { deps } = o;
  return {
    name: INBOX_REACTION,
    families: ['inbox'],
    serialKeyOf: (event) => (isReceived(event) ? lineOfNotification(deps, event) : null),
    waitForQuiet: (event) => deps.burst.waitForQuiet(Date.parse(event.meta.recordedAt)),
    handle: async (event) => {
      if (!isReceived(event)) return;
      if (deps.stores.of(event.data.store).requiresStoreRequest) await processOrQueueNotification(o, event);
      else await processNotification(deps, event);
    },
  };
}

/** Schedules the answer of the app's setting to a new question of a store about a refund. Questions before the first start are over. */
function refundQuestionsReaction({ deps }: StoreTaskDeps): Reaction {
  const question = (stored: RecordedEvent) => {
    const event = ofFamily(stored, 'subscriber');
    return event?.type === 'ConsumptionInformationRequested' ? event : null;
  };
  return {
    name: 'refund-questions',
    families: ['subscriber'],
    startAt: () => Promise.resolve(),
    serialKeyOf: (stored) => question(stored)?.stream ?? null,
    handle: async (stored) => {
      const event = question(stored);
      const dueAt = isoFromMs(deps.runtime.now());
      if (!event || event.data.respondBy < dueAt) return;
      const { transactionId, respondBy, purchase } = event.data;
      const customerId = customerIdOf(event.stream);
      const work = { kind: 'refund-answer' as const, customerId, transactionId, respondBy };
      const owner = { projectId: event.meta.projectId ?? '', appId: purchase.appId };
      await addStoreTask(deps, `refund|${customerId}|${transactionId}|${respondBy}`, { ...owner, dueAt, work });
    },
  };
}

/**
 * New credentials close the circuit of an app's store, wake the tasks that waited for them and schedule polling; deleting an app wakes its
 * tasks, which then end.
 */
function credentialsReaction({ deps, circuitBreakers }: StoreTaskDeps): Reaction {
  const change = (stored: RecordedEvent) => {
    const event = ofFamily(stored, 'project');
    if (!event || !touches(projectEvents, event, 'credentials')) return null;
    switch (event.type) {
      case 'AppCredentialsRegistered':
      case 'AppDeleted':
        return event;
      case 'AppCredentialsDeleted':
        return null;
    }
  };
  return {
    name: 'credentials',
    families: ['project'],
    serialKeyOf: (stored) => change(stored)?.data.appId ?? null,
    handle: async (stored) => {
      const event = change(stored);
      if (!event) return;
      const { appId } = event.data;
      circuitBreakers.reset(appId);
      await wakeStoreTasks(deps, appId);
      if (event.type !== 'AppCredentialsRegistered') return;
      await deps.stores.of(event.data.store).scheduleTasks(deps, event.meta.projectId ?? '', appId);
    },
  };
}
