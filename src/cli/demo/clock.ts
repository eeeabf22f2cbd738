// The clock of the demo's service: it runs through the past as the lifecycles are played, and is the machine's from then on. Many
// lifecycles go on at once, days apart: each request, and each event that is handled, has its own now, so that all is recorded at the
// time when it happened.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { AT_HEADER } from '../../simulator/client.js';

export type DemoClock = {
  /** UTC ms. */
  now(): number;
  /** Goes on to that instant; it never goes back. */
  reach(atMs: number): void;
  /** For the work, and what it begins, it is that instant. */
  during<T>(atMs: number, work: () => T): T;
  /** From now on it is the machine's. */
  release(): void;
  /** Resolves with the release. */
  readonly released: Promise<void>;
};

/** Published before the server sees a request, which is then handled in the same context. */
const REQUEST = 'http.server.request.start';

/** Stands at the instant until it is released. */
export function createDemoClock(fromMs: number): DemoClock {
  const own = new AsyncLocalStorage<number | undefined>();
  let stands: number | null = fromMs;
  let onRelease = (): void => undefined;
  const released = new Promise<void>((resolve) => (onRelease = resolve));
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    const at = request.headers[AT_HEADER];
    own.enterWith(at === undefined ? undefined : Number(at));
  };
  subscribe(REQUEST, onRequest);
  return {
    now: () => (stands === null ? Date.now() : (own.getStore() ?? stands)),
    reach: (atMs) => {
      if (stands !== null) stands = Math.max(stands, atMs);
    },
    during: (atMs, work) => (stands === null ? work() : own.run(atMs, work)),
    release: () => {
      stands = null;
      unsubscribe(REQUEST, onRequest);
      own.disable();
      onRelease();
    },
    released,
  };
}
