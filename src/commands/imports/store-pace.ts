// Pace of a verification's questions to the stores: a share of what each store takes, and less after a store asked to wait.
import { rulesOfStore, type StoreKind } from '../../domain/store-kinds.js';
import type { Runtime } from '../../adapters/runtime.js';

export type StoreAccount = {
  readonly store: StoreKind;
  readonly appId: string;
  readonly environment: 'production' | 'sandbox';
};

export type StorePace = {
  /** Waits until the store may be asked about another purchase of the account. Throws the reason of the signal. */
  turn(account: StoreAccount, signal: AbortSignal): Promise<void>;
  /** Records that the store requires a wait: no request is sent before its end, and afterwards at half the pace. */
  holdBack(account: StoreAccount, seconds: number): void;
  /** Records an answer: the pace returns gradually to the limit of the store. */
  recordAnswer(account: StoreAccount): void;
};

/** Share of a store's limit; the rest is for live purchases and for further pages of long histories. */
const SHARE = 0.8;
/** Longest time between two questions, as a multiple of the shortest. */
const MAX_SLOWDOWN = 64;
/** Factor by which an answer shortens the time between questions: a halved pace is whole again after 70 answers. */
const RECOVERY = 0.99;

type Queue = { intervalMs: number; nextAt: number; heldUntil: number };

export function createStorePace({ now, sleep }: Pick<Runtime, 'now' | 'sleep'>): StorePace {
  const queues = new Map<string, Queue>();
  const queueOf = (account: StoreAccount): Queue => {
    const key = limitedPartOf(account);
    const found = queues.get(key) ?? { intervalMs: shortestOf(account), nextAt: 0, heldUntil: 0 };
    queues.set(key, found);
    return found;
  };
  return {
    turn: async (account, signal) => {
      signal.throwIfAborted();
      const queue = queueOf(account);
      const at = Math.max(now(), queue.nextAt);
      queue.nextAt = at + queue.intervalMs;
      if (at > now()) await sleep(at - now(), signal);
      signal.throwIfAborted();
    },
    holdBack: (account, seconds) => {
      const queue = queueOf(account);
      // Questions that were under way together get the same answer: it counts once.
      if (now() >= queue.heldUntil)
        queue.intervalMs = Math.min(2 * queue.intervalMs, MAX_SLOWDOWN * shortestOf(account));
      queue.heldUntil = Math.max(queue.heldUntil, now() + seconds * 1000);
      queue.nextAt = Math.max(queue.nextAt, queue.heldUntil);
    },
    recordAnswer: (account) => {
      const queue = queueOf(account);
      queue.intervalMs = Math.max(shortestOf(account), RECOVERY * queue.intervalMs);
    },
  };
}

function limitedPartOf({ store, appId, environment }: StoreAccount): string {
  return rulesOfStore(store).limitsEachApp ? `${store}|${appId}|${environment}` : store;
}

function shortestOf({ store, environment }: StoreAccount): number {
  return 1000 / (SHARE * rulesOfStore(store).questionsPerSecond[environment]);
}
