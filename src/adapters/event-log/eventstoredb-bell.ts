// Tells the followers of this process that the log has grown, by one subscription for all of them. It carries no events: followers read
// from where they are, so what a broken subscription misses is only ever late, never lost.
import { END, streamNameFilter } from '@eventstore/db-client';
import type { Runtime } from '../runtime.js';
import type { Connection } from './eventstoredb-connection.js';
import type { Wakeup } from './wakeup.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;
/** The bell rings this often by itself: a subscription may be silent without having ended. */
const ANYWAY_MS = 1000;

type Bell = { readonly prefixes: readonly string[]; readonly onStream: (stream: string) => void };

/** Rings until the signal aborts. `onStream` hears of every stream that grew, and of `''` when some may have been missed. */
export function ringOnGrowth(
  { client }: Connection,
  wakeup: Wakeup,
  runtime: Pick<Runtime, 'sleep'>,
  signal: AbortSignal,
  { prefixes, onStream }: Bell,
): Promise<void> {
  const ring = (stream: string) => {
    onStream(stream);
    wakeup.ring();
  };
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
        ring('');
      });
      subscription.on('data', ({ event }) => ring(event?.streamId ?? ''));
      for (const name of ['error', 'end', 'close'] as const) subscription.on(name, end);
      signal.addEventListener('abort', end, { once: true });
    });
  const listen = async () => {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      if (await listenOnce()) pauseMs = FIRST_PAUSE_MS;
      await runtime.sleep(pauseMs, signal);
    }
  };
  const ringAnyway = async () => {
    while (!signal.aborted) {
      await runtime.sleep(ANYWAY_MS, signal);
      wakeup.ring();
    }
  };
  return Promise.all([listen(), ringAnyway()]).then(() => undefined);
}
