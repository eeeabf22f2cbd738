// Assembles the store work: processing of notifications, store tasks, and store requests before expiries.
import type { Logger } from 'pino';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { createStoreCircuitBreakers } from '../../commands/stores/store-circuit-breaker.js';
import { createStoreCheck, type CheckStore } from './check-store.js';
import { credentialsReaction } from '../reactions/credentials.js';
import { inboxReaction } from '../reactions/inbox.js';
import type { Reaction } from '../reactions/reaction.js';
import { runDueStoreTasks, runStoreTasks, processOrQueueNotification } from './store-tasks.js';

export type StoreWork = {
  readonly reactions: readonly Reaction[];
  readonly checkStore: CheckStore;
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Executes all tasks that are due, once. */
  runTasks(signal: AbortSignal): Promise<void>;
};

export function createStoreWork(deps: StoreDeps, logger: Logger): StoreWork {
  const gates = createStoreCircuitBreakers(deps.runtime);
  const tasks = { deps, gates, logger };
  return {
    reactions: [
      inboxReaction(deps, (event) => processOrQueueNotification(tasks, event)),
      credentialsReaction(deps, gates),
    ],
    checkStore: createStoreCheck(tasks),
    run: (signal) => runStoreTasks(tasks, signal),
    runTasks: (signal) => runDueStoreTasks(tasks, signal),
  };
}
