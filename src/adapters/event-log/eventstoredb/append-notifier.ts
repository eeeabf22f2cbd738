// Wakes whoever waits in this process when the log has grown, by one subscription for all of them. Its events are not used: followers read
// from where they are, so what a broken subscription misses is only ever late, never lost.
import { END, streamNameFilter } from '@eventstore/db-client';
import type { Runtime } from '../../runtime.js';
import type { Connection } from './connection.js';
import type { Wakeup } from '../wakeup.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2000;
/** The bell rings this often by itself: a subscription may be silent without having ended. */
const ANYWAY_MS = 900;

type Bell = {
  readonly prefixes: readonly string[];
  /** Called when a stream with such a name grew, and when one may have grown unnoticed. */
  readonly onGrowth: () => void;
};

/** Listens until the signal aborts. */
export async function ringOnGrowth(
  { client }: Connection,
  runtime: Pick<Runtime, 'sleep'>,
  signal: AbortSignal,
  { prefixes, onGrowth }: Bell,
): Promise<void> {
  const listenOnce = (): Promise<boolean> =>
    new Promise((resolve) => {
      let isConfirmed = false;
      const filter = streamNameFilter({ prefixes: [...prefixes], checkpointInterval: 1000 });
      const subscription = client.subscribeToAll({ fromPosition: END, filter });
      const end = () => {
        signal.removeEventListener('abort', end);
        void subscription.unsubscribe().catch(() => undefined);
        resolve(isConfirmed);
      };
      subscription.on('confirmation', () => {
        isConfirmed = true;
        onGrowth();
      });
      subscription.on('data', onGrowth);
      for (const name of ['error', 'end', 'close'] as const) subscription.on(name, end);
      signal.addEventListener('abort', end, { once: true });
    });
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    if (await listenOnce()) pauseMs = FIRST_PAUSE_MS;
    await runtime.sleep(pauseMs, signal);
  }
}

/** Rings now and then until the signal aborts. */
export async function ringAnyway(wakeup: Wakeup, runtime: Pick<Runtime, 'sleep'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await runtime.sleep(ANYWAY_MS, signal);
    wakeup.ring();
  }
}
