// The kinds of faults, and their random generation.
import type { Random } from '../../../simulator/random.js';
import type { ReceiverBehaviour } from '../engine/receivers.js';
import type { Server } from '../engine/fault-injector.js';
import { TENANTS } from './tenant.js';

/** `process` counts from 0. Durations are in ms of virtual time, which clock jumps do not shorten. */
export type Fault =
  | { readonly kind: 'crash'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'pause'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'clock-skew'; readonly process: number; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'partition'; readonly process: number; readonly server: Server; readonly forMs: number }
  | { readonly kind: 'failure'; readonly server: Server; readonly share: number; readonly forMs: number }
  | { readonly kind: 'latency'; readonly server: Server; readonly byMs: number; readonly forMs: number }
  | { readonly kind: 'disk-full'; readonly server: 'log' | 'docs'; readonly forMs: number }
  | { readonly kind: 'receiver'; readonly url: string; readonly manner: ReceiverBehaviour; readonly forMs: number }
  | { readonly kind: 'projection-defect'; readonly readModel: string; readonly forMs: number };

const KINDS: readonly (readonly [Exclude<Fault['kind'], 'projection-defect'>, number])[] = [
  ['crash', 6],
  ['pause', 2],
  ['clock-skew', 1],
  ['partition', 2],
  ['failure', 5],
  ['latency', 2],
  ['disk-full', 1],
  ['receiver', 3],
];

/** Maximum clock skew in either direction. */
export const MAX_SKEW_MS = 300_000;

/** Draws the kinds of faults of one run. Most runs have some kinds only, since one kind can hide what another would show. */
export function drawFaultKinds(random: Random): typeof KINDS {
  if (random.chance(0.3)) return KINDS;
  const some = KINDS.filter(() => random.chance(0.4));
  return some.length > 0 ? some : KINDS;
}

/** Read models that only queries depend on. A stale `api_keys`, for example, makes the service refuse new keys, which is correct. */
const DEFECTIVE_READ_MODELS: readonly (readonly [string, number])[] = [
  ['customer_histories', 3],
  ['customers', 1],
  ['transactions', 1],
  ['notifications', 1],
  ['custom_events', 1],
  ['changes', 1],
];

export function drawDefect(random: Random): Fault {
  return { kind: 'projection-defect', readModel: random.pick(DEFECTIVE_READ_MODELS), forMs: random.whole(500, 30_000) };
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
    case 'clock-skew':
      return { kind, process, byMs: random.whole(-MAX_SKEW_MS, MAX_SKEW_MS), forMs };
    case 'partition':
      return { kind, process, server, forMs };
    case 'failure':
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
    case 'latency':
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
    case 'disk-full':
      return { kind, server: random.chance(0.5) ? 'log' : 'docs', forMs };
    case 'receiver':
      return {
        kind,
        url,
        manner: random.pick<ReceiverBehaviour>([
          ['error', 2],
          ['hang', 1],
          ['refuse', 2],
          ['no-response', 2],
          ['false-error', 2],
          ['random', 3],
        ]),
        forMs,
      };
  }
}
