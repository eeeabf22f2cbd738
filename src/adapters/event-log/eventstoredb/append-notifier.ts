// Notifies the followers of this process when the log has grown, with one subscription for all of them. Its events are not used: followers
// read from their own position, so an interrupted subscription delays events but never loses any.
import type { Runtime } from '../../runtime.js';
import type { StreamFilter } from './client.js';
import type { Connection } from './connection.js';
import type { Wakeup } from '../follow.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2000;
/** Interval of unconditional notifications: a subscription may be silent without having ended. */
const FALLBACK_INTERVAL_MS = 900;
/** Time after which a subscription that the server has not confirmed is replaced. */
const CONFIRMATION_TIMEOUT_MS = 10_000;

type NotifierOptions = {
  readonly prefixes: readonly string[];
  /** Called when a stream with such a prefix grew, and when growth may have been missed. */
  readonly onGrowth: () => void;
};

/** Subscribes until the signal aborts. */
export async function notifyOnGrowth(
  { client }: Connection,
  runtime: Pick<Runtime, 'sleep'>,
  signal: AbortSignal,
  { prefixes, onGrowth }: NotifierOptions,
): Promise<void> {
  const listenOnce = (): Promise<boolean> =>
    new Promise((resolve) => {
      let isConfirmed = false;
      const settled = new AbortController();
      const filter: StreamFilter = { filterOn: 'streamName', prefixes: [...prefixes], checkpointInterval: 1000 };
      const subscription = client.subscribeToAll({ fromPosition: 'end', filter });
      const end = () => {
        settled.abort();
        signal.removeEventListener('abort', end);
        void subscription.unsubscribe().catch(() => undefined);
        resolve(isConfirmed);
      };
      subscription.on('confirmation', () => {
        isConfirmed = true;
        settled.abort();
        onGrowth();
      });
      subscription.on('data', onGrowth);
      for (const name of ['error', 'end', 'close'] as const) subscription.on(name, end);
      signal.addEventListener('abort', end, { once: true });
      void runtime.sleep(CONFIRMATION_TIMEOUT_MS, settled.signal).then(() => settled.signal.aborted || end());
    });
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    if (await listenOnce()) pauseMs = FIRST_PAUSE_MS;
    await runtime.sleep(pauseMs, signal);
  }
}

/** Wakes followers at regular intervals until the signal aborts. */
export async function notifyRegularly(
  wakeup: Wakeup,
  runtime: Pick<Runtime, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await runtime.sleep(FALLBACK_INTERVAL_MS, signal);
    wakeup.wake();
  }
}
