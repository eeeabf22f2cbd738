// Rate limits by caller and endpoint. The counters are shared by all processes of an installation on servers.
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { OpenCounter, RateCounter } from '../../adapters/rate-counters/port.js';
import type { Caller } from './caller.js';
import type { Headers } from '../bodies/send-json.js';
import { TooManyRequests } from './too-many-requests.js';

/** `points` may be used within `seconds`. */
const limits = {
  registrations: { points: 5, seconds: 3600 },
  logIns: { points: 20, seconds: 60 },
  /** Attempts in progress; the time is a bound for a process that ends during one. */
  attemptsHere: { points: 5, seconds: 60 },
  attemptsAnywhere: { points: 50, seconds: 60 },
  failuresHere: { points: 5, seconds: 15 * 60 },
  failuresAnywhere: { points: 50, seconds: 24 * 3600 },
  /** Rate of further guesses from unknown devices after too many failures anywhere. */
  slowGuesses: { points: 1, seconds: 60 },
  refreshes: { points: 10, seconds: 60 },
  /** Carriers put thousands of phones behind one address: far above what the devices behind one need. */
  publicKeyHere: { points: 6000, seconds: 60 },
  subscriberReads: { points: 300, seconds: 60 },
  publicKey: { points: 60_000, seconds: 60 },
  /** Writes with public keys, which anybody can extract from an app. */
  subscriberWrites: { points: 60, seconds: 60 },
  /** Events are counted individually, alone or in batches. */
  eventsHere: { points: 60_000, seconds: 60 },
  subscriberEvents: { points: 300, seconds: 60 },
  callerEvents: { points: 60_000, seconds: 60 },
  /** Size of request bodies, rounded up to KiB. */
  kibibytesHere: { points: 64 * 1024, seconds: 60 },
  callerKibibytes: { points: 64 * 1024, seconds: 60 },
  callers: { points: 600, seconds: 60 },
  charts: { points: 60, seconds: 60 },
  unknown: { points: 60, seconds: 60 },
} as const;
type LimitName = keyof typeof limits;

/** Below the maximum delay of timers, 24.8 days. */
const KNOWN_DEVICE_SECONDS = 20 * 24 * 3600;

type Endpoint = { readonly path: string; readonly method: string };

type LimitedRequest = {
  readonly caller: Caller;
  /** Evaluated only if a limit needs it. */
  readonly ip: () => string;
  readonly projectId: string;
  /** App user ID in the path, if any. */
  readonly appUserId: string | undefined;
};

/** Sender of a body. */
export type BodySender = Pick<LimitedRequest, 'caller' | 'ip' | 'projectId'>;

/** Limits of requests. Each method rejects with {@link TooManyRequests}. */
export type RateLimits = {
  /** Counts a request. The headers describe the tightest of its limits. */
  countRequest(route: Endpoint, asking: LimitedRequest): Promise<Headers>;
  /** Counts a write with a public key for each subscriber whom its body names, before it is processed. */
  countSubscribers(sending: BodySender, appUserIds: readonly string[]): Promise<void>;
  /** Counts the bytes of a body after it was read, before it is processed. */
  countBody(sending: BodySender, bytes: number): Promise<void>;
  /** Counts custom events by their app user IDs, before any is recorded. */
  countEvents(sending: BodySender, appUserIds: readonly string[]): Promise<void>;
  /** Counts a request that was refused with 401. */
  countRefusal(ip: string): Promise<void>;
  /** Counts a password attempt before it is checked. The caller must call exactly one method of {@link LoginAttempt} afterwards. */
  beginLogin(email: string, ip: string): Promise<LoginAttempt>;
  countRefresh(sessionId: string): Promise<void>;
};

/** `untried` is for other errors: the password may be right or wrong. */
type LoginAttempt = { wrong(): Promise<void>; right(): Promise<void>; untried(): Promise<void> };

/** Limits nothing. For tests and load tests. */
export const noRateLimits: RateLimits = {
  countRequest: () => Promise.resolve([]),
  countSubscribers: () => Promise.resolve(),
  countBody: () => Promise.resolve(),
  countEvents: () => Promise.resolve(),
  countRefusal: () => Promise.resolve(),
  beginLogin: () => {
    const nothing = () => Promise.resolve();
    return Promise.resolve({ wrong: nothing, right: nothing, untried: nothing });
  },
  countRefresh: () => Promise.resolve(),
};

export function createRateLimits(openCounter: OpenCounter): RateLimits {
  const counters = new Map(Object.entries(limits).map(([name, limit]) => [name, openCounter({ name, ...limit })]));
  const knownDevices = openCounter({ name: 'known', points: 1, seconds: KNOWN_DEVICE_SECONDS });
  const counterOf = (row: LimitName): RateCounter => {
    const counter = counters.get(row);
    if (!counter) throw new Error(`unknown rate limit: ${row}`);
    return counter;
  };
  const use = async (row: LimitName, key: string, count = 1): Promise<LimitUse> => {
    const { points } = limits[row];
    try {
      return { points, left: await counterOf(row).consume(key, count) };
    } catch (left) {
      if (left instanceof RateLimiterRes) throw refusal({ points, left });
      throw left;
    }
  };

  return {
    countRequest: async (route, asking) => {
      let tightest: LimitUse | undefined;
      for (const [row, key] of limitsFor(route, asking)) {
        const used = await use(row, key);
        if (!tightest || used.left.remainingPoints < tightest.left.remainingPoints) tightest = used;
      }
      return tightest ? headersOf(tightest) : [];
    },
    countSubscribers: async ({ caller, projectId }, appUserIds) => {
      if (caller.kind === 'nobody' || !isPublic(caller)) return;
      for (const id of new Set(appUserIds)) await use('subscriberWrites', `${projectId}|${id}`);
    },
    countBody: async ({ caller, ip }, bytes) => {
      if (caller.kind === 'nobody' || bytes === 0) return;
      const kibibytes = Math.ceil(bytes / 1024);
      if (isPublic(caller)) await use('kibibytesHere', `${caller.keyId}|${ip()}`, kibibytes);
      else await use('callerKibibytes', idOf(caller), kibibytes);
    },
    countEvents: async ({ caller, ip, projectId }, appUserIds) => {
      if (caller.kind === 'nobody') return;
      if (!isPublic(caller)) return void (await use('callerEvents', idOf(caller), appUserIds.length));
      await use('eventsHere', `${caller.keyId}|${ip()}`, appUserIds.length);
      const counts = new Map<string, number>();
      for (const id of appUserIds) counts.set(id, (counts.get(id) ?? 0) + 1);
      for (const [id, count] of counts) await use('subscriberEvents', `${projectId}|${id}`, count);
    },
    countRefusal: async (ip) => void (await use('unknown', ip)),
    countRefresh: async (sessionId) => void (await use('refreshes', sessionId)),
    beginLogin: async (email, ip) => {
      const here = `${email}|${ip}`;
      // Attempts in progress may fail: many at once must not all be admitted by the earlier count of failures.
      const pending = await Promise.all([
        beginAttempt(counterOf('attemptsHere'), here),
        beginAttempt(counterOf('attemptsAnywhere'), email),
      ]);
      const [ofHere, ofAnywhere] = pending;
      const end = async () => void (await Promise.all(pending.map((attempt) => attempt.end())));
      try {
        const failures = await counterOf('failuresHere').get(here);
        const { points } = limits.failuresHere;
        if (failures && failures.remainingPoints <= 0) throw refusal({ points, left: failures });
        if (countOf(failures) + ofHere.others >= points) throw refusal({ points, left: SHORT_WAIT });
        const anywhere = await counterOf('failuresAnywhere').get(email);
        const isSuspicious = countOf(anywhere) + ofAnywhere.others >= limits.failuresAnywhere.points;
        if (isSuspicious && (await knownDevices.get(here)) === null) await use('slowGuesses', email);
      } catch (err) {
        await end();
        throw err;
      }
      return {
        untried: end,
        right: async () => {
          await end();
          await knownDevices.set(here, 1, KNOWN_DEVICE_SECONDS);
        },
        wrong: async () => {
          await counterOf('failuresAnywhere').penalty(email);
          const left = await counterOf('failuresHere').penalty(here);
          if (left.consumedPoints >= limits.failuresHere.points)
            await counterOf('failuresHere').block(here, limits.failuresHere.seconds);
          await end();
        },
      };
    },
  };
}

type RemainingPoints = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;
type LimitUse = { readonly points: number; readonly left: RemainingPoints };

/** Attempts in progress are decided within about a second. */
const SHORT_WAIT: RemainingPoints = { remainingPoints: 0, msBeforeNext: 1000 };

/** Counts an attempt until it ends. Returns the number of others in progress. */
async function beginAttempt(attempts: RateCounter, key: string) {
  const attempt = await attempts.penalty(key);
  const forgottenAt = Date.now() + attempt.msBeforeNext;
  return {
    others: attempt.consumedPoints - 1,
    // A count that has been forgotten would become negative.
    end: async () => void (Date.now() < forgottenAt && (await attempts.reward(key))),
  };
}

function countOf(used: RateLimiterRes | null): number {
  return used?.consumedPoints ?? 0;
}

/** Returns the limits of a request. Stores have none: they retry only a few times, and no notification may be lost. */
function limitsFor(
  { path, method }: Endpoint,
  { caller, ip, projectId, appUserId }: LimitedRequest,
): readonly (readonly [LimitName, string])[] {
  if (path === '/auth/register') return [['registrations', ip()]];
  if (path === '/auth/login') return [['logIns', ip()]];
  if (caller.kind === 'nobody') return [];
  if (isPublic(caller)) {
    const ofKey = [
      ['publicKeyHere', `${caller.keyId}|${ip()}`],
      ['publicKey', caller.keyId],
    ] as const;
    if (appUserId === undefined) return ofKey;
    return [...ofKey, [method === 'get' ? 'subscriberReads' : 'subscriberWrites', `${projectId}|${appUserId}`]];
  }
  const id = idOf(caller);
  return path.includes('/metrics/charts/')
    ? [
        ['callers', id],
        ['charts', id],
      ]
    : [['callers', id]];
}

type AuthenticatedCaller = Exclude<Caller, { readonly kind: 'nobody' }>;

function isPublic(caller: AuthenticatedCaller): caller is Extract<AuthenticatedCaller, { readonly kind: 'key' }> {
  return caller.kind === 'key' && caller.keyKind === 'public';
}

function idOf(caller: AuthenticatedCaller): string {
  return caller.kind === 'key' ? caller.keyId : caller.userId;
}

function refusal(used: LimitUse): TooManyRequests {
  return new TooManyRequests(secondsOf(used.left), headersOf(used));
}

function headersOf({ points, left }: LimitUse): Headers {
  const remaining = String(Math.max(0, left.remainingPoints));
  const reset = String(secondsOf(left));
  return ['ratelimit-limit', String(points), 'ratelimit-remaining', remaining, 'ratelimit-reset', reset];
}

function secondsOf({ msBeforeNext }: RemainingPoints): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
