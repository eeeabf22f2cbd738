// The one way of a call to a server: what its driver throws becomes `Unavailable` unless the call itself is at fault. Keeps calls from
// waiting for a server that is known to be away: the first who meets silence waits for a while, the others fail at once, and one
// probe after another finds out when it is back.
import pLimit from 'p-limit';
import { Unavailable } from '../../domain/errors.js';
import type { Runtime } from '../runtime.js';

/** What an error means: the server is away; it is there but could not do it now, or it is unknown whether it did; the call is at fault. */
export type Fault = 'away' | 'passing' | 'ours';

export type Breaker = {
  /**
   * Throws {@link Unavailable}; the outcome is then unknown. What is our own fault comes as the driver throws it. Repeatable work that
   * lost its connection is done once more when the server is back soon: it must bear that the first time had its effect.
   */
  run<T>(work: () => Promise<T>, o?: { readonly isRepeatable: boolean }): Promise<T>;
  /** True as soon as the server responds, false when it does not within `ms`. */
  isBack(ms: number): Promise<boolean>;
  close(): void;
};

export type BreakerOptions = {
  /** Of the server, in messages. */
  readonly name: string;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** How long a call may meet silence, in ms. */
  readonly limitMs: number;
  /** Whether work that is slow, while the server responds to others, is waited for; else it fails and the server counts as there. */
  readonly waitsForSlow: boolean;
  /** Calls that may be under way; further ones wait for their turn, which is no silence of the server's. Undefined: all. */
  readonly atOnce?: number;
  /** Asks the server for any response. */
  readonly probe: () => Promise<unknown>;
  readonly faultOf: (err: unknown) => Fault;
  /** What the driver knows of why there is no answer; undefined when nothing. */
  readonly trouble?: () => string | undefined;
  /** Before each probe of a server that was found away: takes apart what may be in the way. */
  readonly reset?: () => Promise<void>;
};

const PROBE_LIMIT_MS = 800;
/** Drivers take half a second before they look for a server again; who waits is refused within a second all the same. */
const REPEATED_WITHIN_MS = 800;
const PROBE_PAUSE_MS = 250;

/** Silence is counted in parts of the limit, by one timer for all calls: one for each costs more than all else that is done here. */
const TICKS = 20;

const LATE = Symbol('late');

type Call = { ticks: number; readonly late: () => void; readonly away: (why: Unavailable) => void };
/** From when the server responds until it is found away, and what for. */
type Presence = { away: Unavailable | null };

export function createBreaker(o: BreakerOptions): Breaker {
  const { name, runtime } = o;
  const closing = new AbortController();
  const calls = new Set<Call>();
  /** Null while the server is away. */
  let there: Presence | null = { away: null };
  let back: Promise<void> = Promise.resolve();
  let responseCount = 0;
  /** Those that a lost connection caused, not silence. */
  const ofLostConnections = new WeakSet<object>();
  let isTicking = false;

  const respondsNow = async (): Promise<boolean> => {
    const done = new AbortController();
    const late = runtime.sleep(PROBE_LIMIT_MS, done.signal).then(() => false);
    const responded = o.probe().then(
      () => true,
      (err: unknown) => !(err instanceof Unavailable) && o.faultOf(err) !== 'away',
    );
    return Promise.race([responded, late]).finally(() => done.abort());
  };
  const untilBack = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await o.reset?.();
      if (await respondsNow()) break;
      await runtime.sleep(PROBE_PAUSE_MS, closing.signal);
    }
    there = { away: null };
  };
  const open = (presence: Presence, reason: string): Unavailable => {
    const why = new Unavailable(`${name} cannot be reached: ${reason}`);
    if (presence !== there) return presence.away ?? why;
    presence.away = why;
    there = null;
    for (const call of calls) call.away(why);
    back = untilBack();
    return why;
  };
  const tick = async (): Promise<void> => {
    isTicking = true;
    while (calls.size > 0) {
      await runtime.sleep(o.limitMs / TICKS);
      for (const call of calls) if (++call.ticks === TICKS) call.late();
    }
    isTicking = false;
  };
  /** Resolves to LATE after the limit, rejects when somebody else finds the server away. */
  const withinLimit = <T>(pending: Promise<T>): Promise<T | typeof LATE> =>
    new Promise((resolve, reject) => {
      const finish =
        <V>(how: (value: V) => void) =>
        (value: V) => {
          calls.delete(call);
          how(value);
        };
      const call: Call = { ticks: 0, late: () => finish(resolve)(LATE), away: finish(reject) };
      calls.add(call);
      pending.then(finish(resolve), finish(reject));
      if (!isTicking) void tick();
    });

  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing.signal.aborted) throw new Unavailable(`${name} is closed`);
    if (!there) throw new Unavailable(`${name} cannot be reached`);
    const presence = there;
    const pending = work();
    // After the limit no caller waits for the error any more.
    pending.catch(() => undefined);
    for (;;) {
      const before = responseCount;
      try {
        const response = await withinLimit(pending);
        if (response !== LATE) {
          responseCount++;
          return response;
        }
      } catch (err) {
        throw errorFor(err, presence);
      }
      const isSilent = responseCount === before && !(o.waitsForSlow && (await respondsNow()));
      if (presence.away) throw presence.away;
      if (isSilent) throw open(presence, o.trouble?.() ?? `no answer within ${o.limitMs} ms`);
      if (!o.waitsForSlow) throw new Unavailable(`${name} did not answer within ${o.limitMs} ms`);
    }
  };
  const errorFor = (err: unknown, presence: Presence): unknown => {
    const fault = err instanceof Unavailable ? 'ours' : o.faultOf(err);
    if (fault === 'ours') return err;
    if (fault === 'passing') return new Unavailable(`${name} could not do it: ${messageOf(err)}`);
    const why = open(presence, messageOf(err));
    ofLostConnections.add(why);
    return why;
  };
  const isBack = async (ms: number): Promise<boolean> => {
    const done = new AbortController();
    const late = runtime.sleep(ms, done.signal);
    await Promise.race([back, late]).finally(() => done.abort());
    return there !== null;
  };

  const inTurn = o.atOnce === undefined ? attempt : limited(o.atOnce, attempt);

  return {
    run: async (work, { isRepeatable } = { isRepeatable: false }) => {
      try {
        return await inTurn(work);
      } catch (err) {
        const isLost = err instanceof Unavailable && ofLostConnections.has(err);
        if (!isRepeatable || !isLost || !(await isBack(REPEATED_WITHIN_MS))) throw err;
        return inTurn(work);
      }
    },
    isBack,
    close: () => closing.abort(),
  };
}

function limited(atOnce: number, attempt: <T>(work: () => Promise<T>) => Promise<T>): typeof attempt {
  const limit = pLimit(atOnce);
  return (work) => limit(() => attempt(work));
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message || err.constructor.name : String(err);
}
