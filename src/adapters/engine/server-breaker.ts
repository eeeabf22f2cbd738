// Circuit breaker for the calls to a server. Driver errors become `Unavailable` unless the call itself is at fault. While a server is known
// to be down, calls fail immediately: only the first caller waits for the timeout, and probes detect the recovery.
import pLimit from 'p-limit';
import { Unavailable } from '../../domain/errors.js';
import type { Runtime } from '../runtime.js';

/**
 * Meaning of a driver error. `away`: the server is down; `passing`: it is up but failed this call, or the outcome is unknown; `ours`: the
 * call is at fault.
 */
export type Fault = 'away' | 'passing' | 'ours';

type Work<T> = (onPart: () => void) => Promise<T>;

export type CircuitBreaker = {
  /**
   * Runs a call. Throws {@link Unavailable}, after which the outcome is unknown; errors at our own fault are thrown as the driver throws
   * them. Repeatable work that lost its connection is run once more when the server recovers soon, so it must be safe to run twice. Work that
   * calls `onPart` for each part of its response may take longer while parts arrive.
   */
  run<T>(work: Work<T>, o?: { readonly isRepeatable: boolean }): Promise<T>;
  /** Resolves true as soon as the server responds, false when it does not within `ms`. */
  waitUntilUp(ms: number): Promise<boolean>;
  close(): void;
};

export type CircuitBreakerOptions = {
  /** Name of the server in messages. */
  readonly name: string;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** Timeout of a call without a response, in ms. */
  readonly limitMs: number;
  /**
   * Time after which a call fails although the server responds to others, in ms; omitted: `limitMs`. A longer time must cover everything
   * that the driver's own timeouts allow: a call beyond it will never settle, so its connections are discarded.
   */
  readonly slowLimitMs?: number;
  /** Maximum concurrent calls; further ones are queued, which does not count towards the timeout. Undefined: unlimited. */
  readonly maxConcurrent?: number;
  /** Sends a request to which any response shows that the server is up. */
  readonly probe: () => Promise<unknown>;
  readonly faultOf: (err: unknown) => Fault;
  /** Returns the driver's reason for a missing response, if it has one. */
  readonly trouble?: () => string | undefined;
  /** Discards the connections, of which one may block calls. Must not throw, and must settle. */
  readonly reset: () => Promise<void>;
  /** Number of failed probes after which the connections are discarded. */
  readonly failuresPerReset: number;
};

const PROBE_TIMEOUT_MS = 800;
/**
 * Time to wait before repeating work. Drivers look for a server only after half a second; the caller must still be refused within a second.
 */
const REPEAT_WINDOW_MS = 800;
const PROBE_PAUSE_MS = 250;

/** Time for all parts of a response, in timeouts of a call: on a busy process a thousand parts take several. */
const LIMITS_OF_PARTS = 10;

/** Timeouts are measured in ticks by one timer for all calls: a timer per call costs more than everything else here. */
const TICKS = 20;

const LATE = Symbol('late');

/** A period in which the server is up, and the error that ended it. */
type UpPeriod = { away: Unavailable | null };

export function createCircuitBreaker(o: CircuitBreakerOptions): CircuitBreaker {
  const { name, runtime, slowLimitMs = o.limitMs } = o;
  const awaitsSlowWork = slowLimitMs > o.limitMs;
  const closing = new AbortController();
  const calls = createPendingCalls(runtime, o.limitMs);
  /** Null while the server is down. */
  let upPeriod: UpPeriod | null = { away: null };
  let recovery: Promise<void> = Promise.resolve();
  let responseCount = 0;
  /** Errors caused by a lost connection, or one that blocked a call, not by a server that does not respond. */
  const lostConnectionErrors = new WeakSet<object>();

  const probeUntilUp = async (isStuck: boolean): Promise<void> => {
    // The call that found the server down counts as a failed probe.
    for (let failures = isStuck ? 0 : 1; !closing.signal.aborted; failures++) {
      if (failures % o.failuresPerReset === 0) await o.reset();
      if (await respondsNow(o)) break;
      await runtime.sleep(PROBE_PAUSE_MS, closing.signal);
    }
    upPeriod = { away: null };
  };
  const open = (presence: UpPeriod, reason: string, isStuck = false): Unavailable => {
    const why = new Unavailable(`${name} cannot be reached: ${reason}`);
    if (presence !== upPeriod) return presence.away ?? why;
    presence.away = why;
    upPeriod = null;
    calls.rejectAll(why);
    recovery = probeUntilUp(isStuck);
    return why;
  };

  const attempt = async <T>(work: Work<T>): Promise<T> => {
    if (closing.signal.aborted) throw new Unavailable(`${name} is closed`);
    if (!upPeriod) throw new Unavailable(`${name} cannot be reached`);
    const presence = upPeriod;
    let parts = 0;
    const pending = work(() => void parts++);
    // After the timeout no caller handles the error.
    pending.catch(() => undefined);
    for (let waitedMs = o.limitMs; ; waitedMs += o.limitMs) {
      const [before, partsBefore] = [responseCount, parts];
      try {
        const response = await calls.withinLimit(pending);
        if (response !== LATE) {
          responseCount++;
          return response;
        }
      } catch (err) {
        throw errorFor(err, presence);
      }
      if (parts > partsBefore && !presence.away && waitedMs < o.limitMs * LIMITS_OF_PARTS) continue;
      const isSilent = responseCount === before && !(awaitsSlowWork && (await respondsNow(o)));
      if (presence.away) throw presence.away;
      if (isSilent) throw open(presence, o.trouble?.() ?? `no response within ${o.limitMs} ms`);
      if (!awaitsSlowWork) throw new Unavailable(`${name} did not respond within ${o.limitMs} ms`);
      if (waitedMs >= slowLimitMs) throw lost(open(presence, `a call got no response within ${waitedMs} ms`, true));
    }
  };
  const errorFor = (err: unknown, presence: UpPeriod): unknown => {
    const fault = err instanceof Unavailable ? 'ours' : o.faultOf(err);
    if (fault === 'ours') return err;
    if (fault === 'passing') return new Unavailable(`${name} failed the request: ${messageOf(err)}`);
    return lost(open(presence, messageOf(err)));
  };
  const lost = (why: Unavailable): Unavailable => {
    lostConnectionErrors.add(why);
    return why;
  };
  const waitUntilUp = async (ms: number): Promise<boolean> => {
    const done = new AbortController();
    const late = runtime.sleep(ms, done.signal);
    await Promise.race([recovery, late]).finally(() => done.abort());
    return upPeriod !== null;
  };

  const queuedAttempt = o.maxConcurrent === undefined ? attempt : limitConcurrency(o.maxConcurrent, attempt);

  return {
    run: async (work, { isRepeatable } = { isRepeatable: false }) => {
      try {
        return await queuedAttempt(work);
      } catch (err) {
        const isLost = err instanceof Unavailable && lostConnectionErrors.has(err);
        if (!isRepeatable || !isLost || !(await waitUntilUp(REPEAT_WINDOW_MS))) throw err;
        return queuedAttempt(work);
      }
    },
    waitUntilUp,
    close: () => closing.abort(),
  };
}

/** Sends a probe, and returns whether the server responds to it. */
async function respondsNow({ runtime, probe, faultOf }: CircuitBreakerOptions): Promise<boolean> {
  const done = new AbortController();
  const late = runtime.sleep(PROBE_TIMEOUT_MS, done.signal).then(() => false);
  const responded = probe().then(
    () => true,
    (err: unknown) => !(err instanceof Unavailable) && faultOf(err) !== 'away',
  );
  return Promise.race([responded, late]).finally(() => done.abort());
}

type PendingCall = { ticks: number; readonly late: () => void; readonly away: (why: Unavailable) => void };

/** Calls without a response, and their timeouts. */
function createPendingCalls(runtime: Pick<Runtime, 'sleep'>, limitMs: number) {
  const calls = new Set<PendingCall>();
  let isTicking = false;

  const tick = async (): Promise<void> => {
    isTicking = true;
    while (calls.size > 0) {
      await runtime.sleep(limitMs / TICKS);
      for (const call of calls) if (++call.ticks === TICKS) call.late();
    }
    isTicking = false;
  };

  return {
    /** Resolves to LATE after the timeout; rejects when another call finds the server down. */
    withinLimit: <T>(pending: Promise<T>): Promise<T | typeof LATE> =>
      new Promise((resolve, reject) => {
        const finish =
          <V>(settleWith: (value: V) => void) =>
          (value: V) => {
            calls.delete(call);
            settleWith(value);
          };
        const call: PendingCall = { ticks: 0, late: () => finish(resolve)(LATE), away: finish(reject) };
        calls.add(call);
        pending.then(finish(resolve), finish(reject));
        if (!isTicking) void tick();
      }),
    /** Rejects all calls: the server is down. */
    rejectAll: (why: Unavailable): void => {
      for (const call of calls) call.away(why);
    },
  };
}

function limitConcurrency(atOnce: number, attempt: <T>(work: Work<T>) => Promise<T>): typeof attempt {
  const limit = pLimit(atOnce);
  return (work) => limit(() => attempt(work));
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message || err.constructor.name : String(err);
}
