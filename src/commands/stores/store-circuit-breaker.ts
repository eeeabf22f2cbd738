// Circuit breaker for each app's store, in this process. While a store is unavailable, one request at a time tries it at growing intervals;
// other work for it stays stored and delays no other app.
import type { Runtime } from '../../adapters/runtime.js';

export type StoreCircuitBreakers = {
  /** Returns true if a new request may be sent to the app's store: its circuit is closed and not too many requests are in progress. */
  acceptsRequest(appId: string): boolean;
  /** Returns true if the maximum number of requests to the app's store is in progress. */
  isBusy(appId: string): boolean;
  /** Returns the time of the next try of the app's store, ms since the epoch; 0: at once. */
  nextTryAt(appId: string): number;
  /** Returns the time of the first failure since a tracked request succeeded in this process, ms since the epoch; null if there was none. */
  failingSince(appId: string): number | null;
  /**
   * Counts the request while it is in progress. A rejection of `work` does not change the circuit: the caller decides. Its success ends the
   * time of failures; `reset` does not, because a task may also succeed without a request.
   */
  track<T>(appId: string, work: () => Promise<T>): Promise<T>;
  recordFailure(appId: string): void;
  reset(appId: string): void;
};

const MAX_CONCURRENT_REQUESTS = 16;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 300_000;

type CircuitState = { inFlight: number; failures: number; retryAtMs: number; failingSinceMs: number | null };

/** Memory is bounded by the number of apps. */
export function createStoreCircuitBreakers(runtime: Pick<Runtime, 'now' | 'randomBytes'>): StoreCircuitBreakers {
  const circuits = new Map<string, CircuitState>();
  const circuitOf = (appId: string): CircuitState => {
    const circuit = circuits.get(appId) ?? { inFlight: 0, failures: 0, retryAtMs: 0, failingSinceMs: null };
    circuits.set(appId, circuit);
    return circuit;
  };
  return {
    acceptsRequest: (appId) => {
      const { failures, inFlight } = circuitOf(appId);
      return failures === 0 && inFlight < MAX_CONCURRENT_REQUESTS;
    },
    isBusy: (appId) => circuitOf(appId).inFlight >= MAX_CONCURRENT_REQUESTS,
    nextTryAt: (appId) => circuitOf(appId).retryAtMs,
    failingSince: (appId) => circuitOf(appId).failingSinceMs,
    track: async (appId, work) => {
      const circuit = circuitOf(appId);
      circuit.inFlight++;
      try {
        const result = await work();
        circuit.failingSinceMs = null;
        return result;
      } finally {
        circuit.inFlight--;
      }
    },
    recordFailure: (appId) => {
      const circuit = circuitOf(appId);
      if (runtime.now() < circuit.retryAtMs) return;
      circuit.failures++;
      circuit.failingSinceMs ??= runtime.now();
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (circuit.failures - 1), MAX_PAUSE_MS);
      // Adds up to a quarter, so that many processes do not retry in step.
      circuit.retryAtMs = runtime.now() + pauseMs + (pauseMs * (runtime.randomBytes(1)[0] ?? 0)) / 1024;
    },
    reset: (appId) => {
      const circuit = circuitOf(appId);
      circuit.failures = 0;
      circuit.retryAtMs = 0;
    },
  };
}
