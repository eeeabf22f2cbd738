// Connection of a live feed. Nothing is written before the response has begun or after it is closed.
import type { ServerResponse } from 'node:http';
import type { Runtime } from '../../adapters/runtime.js';
import type { Sink } from './reader.js';

/** Time limit for the last message, after which the connection is destroyed. */
const MAX_CLOSE_MS = 10_000;

export type Connection = Sink & { connect(res: ServerResponse): void };

export function createConnection(runtime: Pick<Runtime, 'sleep'>): Connection {
  let res: ServerResponse | null = null;
  return {
    connect: (to) => {
      res = to;
    },
    write: (text) => {
      if (!res || res.destroyed || res.write(text)) return null;
      return waitForDrain(res);
    },
    end: (text) => {
      const leaving = res;
      res = null;
      if (!leaving || leaving.destroyed) return;
      leaving.end(text);
      const isGone = new AbortController();
      leaving.once('close', () => isGone.abort());
      void runtime.sleep(MAX_CLOSE_MS, isGone.signal).then(() => {
        if (!isGone.signal.aborted) leaving.destroy();
      });
    },
  };
}

/** Resolves when the buffer is drained or the connection is closed. */
function waitForDrain(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}
