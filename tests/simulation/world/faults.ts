// What may go wrong in a world, and how often.
import type { Random } from '../../../simulator/random.js';
import type { Manner } from '../engine/receivers.js';
import type { Server } from '../engine/weather.js';
import { TENANTS } from './tenant.js';

/** `process` counts from 0; times of faults are in ms of virtual time, which do not jump. */
export type Fault =
  | { readonly kind: 'crash'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'pause'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'skew'; readonly process: number; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'cut'; readonly process: number; readonly server: Server; readonly forMs: number }
  | { readonly kind: 'failing'; readonly server: Server; readonly share: number; readonly forMs: number }
  | { readonly kind: 'slow'; readonly server: Server; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'full'; readonly server: 'log' | 'docs'; readonly forMs: number }
  | { readonly kind: 'receiver'; readonly url: string; readonly manner: Manner; readonly forMs: number }
  | { readonly kind: 'defect'; readonly readModel: string; readonly forMs: number };

const KINDS: readonly (readonly [Exclude<Fault['kind'], 'defect'>, number])[] = [
  ['crash', 6],
  ['pause', 2],
  ['skew', 1],
  ['cut', 2],
  ['failing', 5],
  ['slow', 2],
  ['full', 1],
  ['receiver', 3],
];

/** By which the clock of a process may be ahead or behind. */
export const MAX_SKEW_MS = 300_000;

/** With all kinds at once, one hides what another would show: most worlds have some of them. */
export function drawKinds(random: Random): typeof KINDS {
  if (random.chance(0.3)) return KINDS;
  const some = KINDS.filter(() => random.chance(0.4));
  return some.length > 0 ? some : KINDS;
}

/** Those whose documents nothing else works by: a key that is not known yet is refused, and so it should be. */
const DEFECTIVE: readonly (readonly [string, number])[] = [
  ['customer_histories', 3],
  ['customers', 1],
  ['transactions', 1],
  ['notifications', 1],
  ['custom_events', 1],
  ['changes', 1],
];

export function drawDefect(random: Random): Fault {
  return { kind: 'defect', readModel: random.pick(DEFECTIVE), forMs: random.whole(500, 30_000) };
}

export function drawFault(random: Random, processes: number, kinds: typeof KINDS): Fault {
  const process = random.whole(0, processes - 1);
  const forMs =
    random.pick([
      [300, 4],
      [2000, 4],
      [8000, 2],
      [16_000, 0.5],
    ]) * random.between(0.5, 1.5);
  const server = random.pick<Server>([
    ['log', 3],
    ['docs', 4],
    ['store', 2],
    ['net', 1],
  ]);
  const tenant = TENANTS[random.whole(0, 1)] ?? 'acme';
  const url = `https://hooks.example.com/${tenant}/${random.chance(0.6) ? 'ordered' : 'free'}`;
  const kind = random.pick(kinds);
  switch (kind) {
    case 'crash':
    case 'pause':
      return { kind, process, forMs };
    case 'skew':
      return { kind, process, byMs: random.whole(-MAX_SKEW_MS, MAX_SKEW_MS), forMs };
    case 'cut':
      return { kind, process, server, forMs };
    case 'failing':
      return {
        kind,
        server,
        share: random.pick([
          [0.05, 3],
          [0.3, 2],
          [1, 1],
        ]),
        forMs,
      };
    case 'slow':
      return {
        kind,
        server,
        byMs: random.pick([
          [50, 2],
          [500, 2],
          [2500, 1],
        ]),
        forMs,
      };
    case 'full':
      return { kind, server: random.chance(0.5) ? 'log' : 'docs', forMs };
    case 'receiver':
      return {
        kind,
        url,
        manner: random.pick<Manner>([
          ['fails', 2],
          ['hangs', 1],
          ['closed', 2],
          ['lost', 2],
          ['lies', 2],
          ['moody', 3],
        ]),
        forMs,
      };
  }
}
