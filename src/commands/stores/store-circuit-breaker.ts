// Circuit breaker for each app's store, in this process. While a store is unavailable, one request at a time tries it at growing intervals;
// other work for it stays stored and delays no other app.
import type { Runtime } from '../../adapters/runtime.js';

export type StoreCircuitBreakers = {
  /** Returns true if a new request may be sent to the app's store: its circuit is closed and not too many requests are in progress. */
  isOpen(appId: string): boolean;
  /** Returns true if the maximum number of requests to the app's store is in progress. */
  isBusy(appId: string): boolean;
  /** Returns the time of the next try of the app's store, ms since the epoch; 0: at once. */
  triedAgainAt(appId: string): number;
  /** Counts the request while it is in progress. A rejection of `work` does not change the circuit: the caller decides. */
  through<T>(appId: string, work: () => Promise<T>): Promise<T>;
  close(appId: string): void;
  open(appId: string): void;
};

const MAX_CONCURRENT_REQUESTS = 16;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 300_000;

type CircuitState = { asking: number; failures: number; closedUntilMs: number };

/** Memory is bounded by the number of apps. */
export function createStoreCircuitBreakers(runtime: Pick<Runtime, 'now' | 'randomBytes'>): StoreCircuitBreakers {
  const gates = new Map<string, CircuitState>();
  const gateOf = (appId: string): CircuitState => {
    const gate = gates.get(appId) ?? { asking: 0, failures: 0, closedUntilMs: 0 };
    gates.set(appId, gate);
    return gate;
  };
  return {
    isOpen: (appId) => {
      const { failures, asking } = gateOf(appId);
      return failures === 0 && asking < MAX_CONCURRENT_REQUESTS;
    },
    isBusy: (appId) => gateOf(appId).asking >= MAX_CONCURRENT_REQUESTS,
    triedAgainAt: (appId) => gateOf(appId).closedUntilMs,
    through: async (appId, work) => {
      const gate = gateOf(appId);
      gate.asking++;
      try {
        return await work();
      } finally {
        gate.asking--;
      }
    },
    close: (appId) => {
      const gate = gateOf(appId);
      if (runtime.now() < gate.closedUntilMs) return;
      gate.failures++;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (gate.failures - 1), MAX_PAUSE_MS);
      // Adds up to a quarter, so that many processes do not retry in step.
      gate.closedUntilMs = runtime.now() + pauseMs + (pauseMs * (runtime.randomBytes(1)[0] ?? 0)) / 1024;
    },
    open: (appId) => {
      const gate = gateOf(appId);
      gate.failures = 0;
      gate.closedUntilMs = 0;
    },
  };
}
