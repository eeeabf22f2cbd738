// Injects faults between processes and their dependencies: latency, failures before and after the effect, partitions, full disks. Also
// applies crashes and pauses: operations in progress on a crashed host are never answered, those on a paused host continue after the pause.
import { Unavailable } from '../../../src/domain/errors.js';
import type { Timeline } from './timeline.js';

/** `log` and `docs` are the event log and the document store, `store` the app stores, `net` the webhook receivers. */
export type Server = 'log' | 'docs' | 'store' | 'net';

/** State of the machine that a process runs on. */
export type Host = {
  readonly name: string;
  isAlive: boolean;
  /** Virtual time (ms) until which the process is suspended. */
  pausedUntil: number;
  /** Deviation of its clock, in ms. */
  skewMs: number;
};

export type FaultInjector = {
  /** Share of operations that fail before or after their effect. */
  readonly failureShares: Map<Server, number>;
  /** Maximum latency added to each operation, in ms. */
  readonly addedLatencies: Map<Server, number>;
  /** Servers that refuse writes. */
  readonly fullDisks: Set<Server>;
  /** Pairs `host|server` without a connection. */
  readonly partitions: Set<string>;
  /**
   * Runs `operation` on the server as this host sees it: with latency, perhaps without a response, perhaps not at all. An operation of a
   * host that crashed in the meantime takes effect or not, and is never answered.
   */
  run<T>(host: Host, server: Server, kind: 'read' | 'write', name: string, operation: () => T | Promise<T>): Promise<T>;
  /** Calls `done` after `ms`: later if the host is paused, never if it has crashed. */
  wait(host: Host, ms: number, done: () => void): void;
  clear(): void;
  counts(): { readonly io: number; readonly failed: number; readonly unknown: number };
};

const TIMEOUT_MS = 3000;

export function createFaultInjector(timeline: Timeline): FaultInjector {
  const { random } = timeline;
  const failureShares = new Map<Server, number>();
  const addedLatencies = new Map<Server, number>();
  const fullDisks = new Set<Server>();
  const partitions = new Set<string>();
  const counts = { io: 0, failed: 0, unknown: 0 };

  const wait: FaultInjector['wait'] = (host, ms, done) => {
    timeline.schedule(ms, () => {
      if (!host.isAlive) return;
      if (host.pausedUntil > timeline.elapsed()) return wait(host, host.pausedUntil - timeline.elapsed(), done);
      done();
    });
  };
  const latency = (server: Server, kind: 'read' | 'write') =>
    random.whole(kind === 'write' ? 1 : 0, kind === 'write' ? 4 : 2) +
    random.next() * (addedLatencies.get(server) ?? 0);

  return {
    failureShares,
    addedLatencies,
    fullDisks,
    partitions,
    wait,
    clear: () => {
      for (const some of [failureShares, addedLatencies, fullDisks, partitions]) some.clear();
    },
    counts: () => counts,
    run: (host, server, kind, name, operation) =>
      new Promise((resolve, reject) => {
        counts.io++;
        const fail = (ms: number, why: string) => {
          counts.failed++;
          wait(host, ms, () => reject(new Unavailable(`${server}: ${why}`)));
        };
        const begin = () => {
          if (!host.isAlive) return;
          if (partitions.has(`${host.name}|${server}`)) return fail(TIMEOUT_MS, 'no response');
          const isFailing = random.chance(failureShares.get(server) ?? 0);
          const isUnknown = isFailing && random.chance(0.5);
          // A request that was sent before a crash may still arrive.
          const arrives = random.chance(0.5);
          timeline.schedule(latency(server, kind), () => {
            if (!host.isAlive && !arrives) return;
            if (isFailing && !isUnknown) return fail(random.whole(0, 300), 'failed before its effect');
            if (kind === 'write' && fullDisks.has(server)) return fail(1, 'no space left');
            void Promise.resolve()
              .then(operation)
              .then(
                (result) => {
                  if (kind === 'write') timeline.record(`${host.name} ${name}${host.isAlive ? '' : ' (dead)'}`);
                  if (!isUnknown) return wait(host, latency(server, 'read'), () => resolve(result));
                  counts.unknown++;
                  timeline.record(`${host.name} ${name} gets no response`);
                  fail(random.whole(0, 3000), 'response lost');
                },
                (err: unknown) => wait(host, latency(server, 'read'), () => reject(err)),
              );
          });
        };
        if (host.pausedUntil > timeline.elapsed()) wait(host, 0, begin);
        else begin();
      }),
  };
}
