// Assembles the store work: processing of notifications, store tasks, and store requests before expiries.
import type { Logger } from 'pino';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import type { FindByAccountToken } from '../../commands/stores/notification-types.js';
import { createStoreCircuitBreakers } from '../../commands/stores/store-circuit-breaker.js';
import { createAskStore, type AskStore } from './ask-store.js';
import { credentialsReaction } from '../reactions/credentials.js';
import { inboxReaction } from '../reactions/inbox.js';
import type { Reaction } from '../reactions/reaction.js';
import { doStoreTasks, runStoreTasks, takeUpNotification } from './store-tasks.js';

export type StoreWork = {
  readonly reactions: readonly Reaction[];
  readonly checkStore: AskStore;
  /** Runs until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Executes all tasks that are due, once. */
  runTasks(signal: AbortSignal): Promise<void>;
};

export function createStoreWork(deps: StoreDeps, find: FindByAccountToken, logger: Logger): StoreWork {
  const gates = createStoreCircuitBreakers(deps.runtime);
  const tasks = { deps, find, gates, logger };
  return {
    reactions: [
      inboxReaction(deps, find, (event) => takeUpNotification(tasks, event)),
      credentialsReaction(deps, gates),
    ],
    checkStore: createAskStore(tasks),
    run: (signal) => runStoreTasks(tasks, signal),
    runTasks: (signal) => doStoreTasks(tasks, signal),
  };
}
