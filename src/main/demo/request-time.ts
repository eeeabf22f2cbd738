// A time of its own for each request that brings one, and for all that it begins: what is played of the past is recorded at its time.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AT_HEADER } from '#simulator/client.js';

export type RequestTime = {
  /** UTC ms; undefined outside of what brought or was given a time. */
  now(): number | undefined;
  /** Runs the work, and everything it starts, at that instant. */
  during<T>(atMs: number, work: () => T): T;
  /** Ends all simulated times. */
  close(): void;
};

/** Published before the server sees a request, which is then handled in the same context. */
const REQUEST = 'http.server.request.start';

/** `isHeeded`: whether the time of a request with these headers counts. */
export function openRequestTime(isHeeded: (headers: IncomingHttpHeaders) => boolean): RequestTime {
  const own = new AsyncLocalStorage<number | undefined>();
  const onRequest = (message: unknown): void => {
    const { headers } = (message as { readonly request: IncomingMessage }).request;
    const at = headers[AT_HEADER];
    own.enterWith(at === undefined || !isHeeded(headers) ? undefined : Number(at));
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
