// What work runs one after another by. A stream's name is the key of what is appended to it; all other keys stand here.
import type { StreamName } from '../../domain/envelope.js';

/** Holds in this process. */
export type LocalKey = string & { readonly __brand: 'LocalKey' };
/** Holds in all processes. The text picks the lock document, so it must be the same in every version that runs beside this one. */
export type SharedKey = { readonly shared: string };
export type LockKey = StreamName | LocalKey | SharedKey;

const local = (text: string): LocalKey => text as LocalKey;

export const lockKeys = {
  /** Whose a purchase line is, over the streams of line and customer. */
  purchaseLine: (purchaseStream: StreamName): SharedKey => ({ shared: `line|${purchaseStream}` }),
  /** The number of projects that a user has created. */
  projects: (userId: string) => local(`projects|${userId}`),
  credentials: (appId: string) => local(`credentials|${appId}`),
  /** The number of webhooks of a project. */
  webhooks: (projectId: string) => local(`webhooks|${projectId}`),
  replay: (webhookId: string) => local(`${webhookId}|replay`),
  storeTasks: () => local('store-tasks'),
} as const;

/** For a mutex of one process, in which both kinds are the same. */
export function textOf(key: LockKey | string): string {
  return typeof key === 'string' ? key : key.shared;
}
