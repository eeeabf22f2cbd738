// Simulated time of single requests and all work that they start, so that the played past is recorded at its own time.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AT_HEADER } from '#simulator/client.js';

export type RequestTime = {
  /** Returns the simulated time, UTC ms; undefined outside of such work. */
  now(): number | undefined;
  /** Runs the work, and everything it starts, at that time. */
  during<T>(atMs: number, work: () => T): T;
  /** Ends all simulated times. */
  close(): void;
};

/** Channel that is notified before the server handles a request, which then runs in the same context. */
const REQUEST = 'http.server.request.start';

/** Opens the channel. `isTrusted` returns whether the time of a request with these headers applies. */
export function openRequestTime(isTrusted: (headers: IncomingHttpHeaders) => boolean): RequestTime {
  const own = new AsyncLocalStorage<number | undefined>();
  const onRequest = (message: unknown): void => {
    const { headers } = (message as { readonly request: IncomingMessage }).request;
    const at = headers[AT_HEADER];
    own.enterWith(at === undefined || !isTrusted(headers) ? undefined : Number(at));
  };
  subscribe(REQUEST, onRequest);
  return {
    now: () => own.getStore(),
    during: (atMs, work) => own.run(atMs, work),
    close: () => {
      unsubscribe(REQUEST, onRequest);
      own.disable();
    },
  };
}
