// Script of a run, generated from its seed: a list of steps, so that a shorter list can be run as well.
import { createLifecycles } from '../../../simulator/lifecycles.js';
import type { Lifecycle } from '../../../simulator/lifecycle-events.js';
import { createRandom, type Random } from '../../../simulator/random.js';
import { drawDefect, drawFault, drawFaultKinds, type Fault } from './faults.js';
import { accessRules, IDENTITIES, type AccessChange, type AccessAttempt } from './team.js';
import { TENANTS, type TenantName } from './tenant.js';

export type Action =
  | {
      readonly kind: 'store-event';
      readonly lifecycle: number;
      readonly index: number;
      readonly copies: number;
      readonly lateMs: number;
      /** Delay by the stores' clock, which clock jumps shorten: the notification arrives after those of later events. */
      readonly heldMs: number;
    }
  /** `loggedInLater`: bought with an anonymous ID. `again`: sent twice. */
  | {
      readonly kind: 'receipt';
      readonly lifecycle: number;
      readonly index: number;
      readonly loggedInLater: boolean;
      readonly again: boolean;
    }
  | { readonly kind: 'set-attribute'; readonly user: string; readonly value: string }
  | { readonly kind: 'grant'; readonly user: string; readonly duration: 'weekly' | 'monthly' | 'lifetime' }
  | { readonly kind: 'revoke'; readonly user: string }
  | { readonly kind: 'custom-event'; readonly user: string; readonly name: string }
  | { readonly kind: 'read'; readonly user: string }
  | { readonly kind: 'erase'; readonly user: string }
  | { readonly kind: 'toggle-webhook'; readonly hook: number; readonly enabled: boolean }
  | { readonly kind: 'replay-webhook'; readonly hook: number }
  | { readonly kind: 'test-webhook'; readonly hook: number }
  | { readonly kind: 'follow-live-feed'; readonly forMs: number }
  | ({ readonly kind: 'try-access' } & AccessAttempt)
  | { readonly kind: 'revoke-access'; readonly leaving: AccessChange }
  | { readonly kind: 'operator-request'; readonly request: Operation };

/** Request of a CLI command to the service. */
export type Operation =
  | { readonly kind: 'rates'; readonly importId: string; readonly days: readonly DailyRates[] }
  | { readonly kind: 'reprocess'; readonly since: null; readonly dryRun: boolean }
  | { readonly kind: 'retry'; readonly named: null }
  | { readonly kind: 'rewrap' };
type DailyRates = { readonly day: string; readonly rates: Readonly<Record<string, string>> };

export type Step =
  | { readonly atMs: number; readonly by: 'faults'; readonly fault: Fault }
  | { readonly atMs: number; readonly by: TenantName; readonly act: Action };

export type Script = {
  readonly seed: number;
  /** Number of processes: one has embedded storage, several share servers. */
  readonly processes: number;
  /** Factor of the pause between two rounds of each background loop. */
  readonly pace: number;
  readonly startMs: number;
  readonly lifecycles: Readonly<Record<TenantName, readonly Lifecycle[]>>;
  /** Steps in the order of their times (UTC ms). */
  readonly steps: readonly Step[];
};

const START_MS = Date.parse('2026-01-05T10:00:00Z');
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Long runs are rare: most bugs show in a short one, and more of those fit into the same time. */
type Range = readonly [from: number, to: number];
const SIZES: readonly (readonly [{ readonly days: Range; readonly lifecycles: Range }, number])[] = [
  [{ days: [2, 15], lifecycles: [1, 1] }, 5],
  [{ days: [15, 60], lifecycles: [1, 2] }, 4],
  [{ days: [60, 150], lifecycles: [3, 5] }, 0.1],
];
const PACE_WEIGHTS = [
  [1, 1],
  [4, 2],
] as const;

export function createScript(seed: number, random: Random = createRandom(`script ${seed}`)): Script {
  const size = random.pick(SIZES);
  const span = { from: START_MS + 60_000, until: START_MS + random.whole(...size.days) * DAY_MS };
  const processes = random.pick([
    [1, 6],
    [2, 3],
    [3, 1],
  ] as const);
  const lifecyclesOf = (tenant: TenantName) =>
    createLifecycles(`${seed} ${tenant}`, random.whole(...size.lifecycles), span);
  const lifecycles = { acme: lifecyclesOf('acme'), bert: lifecyclesOf('bert') };
  const steps = TENANTS.flatMap((by) => drawSteps(random, by, lifecycles[by], span));
  // Faults are placed near steps, not in the idle time between them.
  const times = steps.map(({ atMs }) => atMs);
  const hasFaults = random.chance(0.85);
  const kinds = drawFaultKinds(random);
  const faults = Array.from({ length: hasFaults ? random.whole(3, 25) : 0 }, (): Step => {
    const atMs = times[random.whole(0, times.length - 1)] ?? span.from;
    return { atMs: atMs + random.whole(-2000, 2000), by: 'faults', fault: drawFault(random, processes, kinds) };
  });
  const defects = drawProjectionDefect(createRandom(`defect ${seed}`), times);
  const all = [...steps, ...faults, ...defects].sort((a, b) => a.atMs - b.atMs);
  const pace = random.pick(PACE_WEIGHTS);
  return { seed, processes, pace, startMs: START_MS, lifecycles, steps: all };
}

/** Generates a projection defect in some runs, with clients that query the charts in the meantime. */
function drawProjectionDefect(random: Random, times: readonly number[]): Step[] {
  if (!random.chance(0.1)) return [];
  const atMs = random.pick(times.map((ms) => [ms, 1] as const));
  const fault = drawDefect(random);
  const rule = accessRules.findIndex(({ path }) => path('', '').endsWith('/overview'));
  const peeks = Array.from({ length: random.whole(2, 8) }, (): Step => {
    const act = { kind: 'try-access', who: 'reader', rule, user: 'user-00001', isOtherProject: false } as const;
    return { atMs: atMs + random.whole(0, fault.forMs), by: TENANTS[random.whole(0, 1)] ?? 'acme', act };
  });
  return [{ atMs, by: 'faults', fault }, ...peeks];
}

function drawSteps(
  random: Random,
  by: TenantName,
  lifecycles: readonly Lifecycle[],
  span: { from: number; until: number },
): Step[] {
  const users = lifecycles.flatMap(({ appUserId }) => appUserId ?? []);
  const randomUser = () => users[random.whole(0, users.length - 1)] ?? 'user-00001';
  const steps: Step[] = [];
  const add = (atMs: number, act: Action) => void steps.push({ atMs, by, act });
  for (const [l, { events: happenings, appUserId }] of lifecycles.entries()) {
    for (const [index, happening] of happenings.entries()) {
      const { at: atMs, kind } = happening;
      if (kind === 'described' || kind === 'granted') continue;
      if (kind === 'receipt') {
        add(atMs, { kind, lifecycle: l, index, loggedInLater: random.chance(0.3), again: random.chance(0.3) });
        continue;
      }
      if (happening.bought.offer === 'coins') continue;
      const lateMs = random.chance(0.4) ? random.whole(0, 20_000) : 0;
      add(atMs, {
        kind: 'store-event',
        lifecycle: l,
        index,
        copies: random.pick([
          [1, 6],
          [2, 3],
          [4, 1],
        ]),
        lateMs,
        heldMs: random.chance(0.15) ? random.whole(HOUR_MS, 12 * DAY_MS) : 0,
      });
    }
    if (appUserId === null) continue;
    // Concurrent requests for one customer.
    for (let n = random.whole(1, 3); n > 0; n--) {
      const atMs = Math.floor(random.between(span.from, span.until));
      for (let m = random.whole(1, 4); m > 0; m--)
        add(atMs + random.whole(0, 30), drawAppAction(random, appUserId, `${by}-${l}-${n}-${m}`));
    }
  }
  const randomTime = () => Math.floor(random.between(span.from, span.until));
  for (let n = random.whole(0, 2); n > 0; n--) {
    const at = randomTime();
    const hook = random.whole(0, 1);
    add(at, { kind: 'toggle-webhook', hook, enabled: false });
    add(at + random.whole(100, 20_000), { kind: 'toggle-webhook', hook, enabled: true });
  }
  if (random.chance(0.4)) add(randomTime(), { kind: 'replay-webhook', hook: random.whole(0, 1) });
  if (random.chance(0.3)) add(randomTime(), { kind: 'test-webhook', hook: random.whole(0, 1) });
  for (let n = random.chance(0.5) ? random.whole(1, 6) : 0; n > 0; n--)
    add(randomTime(), { kind: 'follow-live-feed', forMs: random.whole(10, 20_000) });
  for (let n = random.chance(0.4) ? random.whole(1, 3) : 0; n > 0; n--)
    add(randomTime(), { kind: 'operator-request', request: drawOperation(random, `${by}-${n}`, span) });
  for (let n = random.chance(0.4) ? random.whole(1, 8) : 0; n > 0; n--) {
    const who = random.pick(IDENTITIES.map((one) => [one, 1] as const));
    const rule = random.whole(0, accessRules.length - 1);
    add(randomTime(), { kind: 'try-access', who, rule, user: randomUser(), isOtherProject: random.chance(0.2) });
  }
  if (random.chance(0.15))
    add(randomTime(), { kind: 'revoke-access', leaving: random.chance(0.5) ? 'lowered' : 'removed' });
  if (random.chance(0.35)) {
    const user = randomUser();
    const at = randomTime();
    add(at, { kind: 'erase', user });
    for (let n = random.whole(0, 3); n > 0; n--)
      add(at + random.whole(-40, 40), { kind: 'set-attribute', user, value: personalValue(`${by}-erased-${n}`) });
  }
  return steps;
}

function drawOperation(random: Random, name: string, span: { from: number; until: number }): Operation {
  const kind = random.pick<Operation['kind']>([
    ['rates', 4],
    ['reprocess', 2],
    ['retry', 1],
    ['rewrap', 1],
  ]);
  if (kind === 'rewrap') return { kind };
  if (kind === 'retry') return { kind, named: null };
  if (kind === 'reprocess') return { kind, since: null, dryRun: random.chance(0.3) };
  // Often a corrected rate for a day that already has one.
  const days = Array.from({ length: random.whole(1, 40) }, (_, n) => ({
    day: new Date(span.from + n * DAY_MS).toISOString().slice(0, 10),
    rates: { USD: (1 + random.whole(0, 2) / 10).toFixed(1) },
  }));
  return { kind, importId: `import-${name}`, days };
}

/** Returns a personal value that must not be readable after the erasure of its customer. */
export function personalValue(what: string): string {
  return `canary-${what}`;
}

function drawAppAction(random: Random, user: string, name: string): Action {
  const kind = random.pick([
    ['set-attribute', 4],
    ['grant', 2],
    ['revoke', 1],
    ['custom-event', 2],
    ['read', 2],
  ] as const);
  if (kind === 'set-attribute') return { kind, user, value: personalValue(name) };
  if (kind === 'grant')
    return {
      kind,
      user,
      duration: random.pick([
        ['weekly', 3],
        ['monthly', 2],
        ['lifetime', 1],
      ]),
    };
  return kind === 'custom-event' ? { kind, user, name } : { kind, user };
}
