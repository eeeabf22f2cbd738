// What goes wrong between processes and what they ask: slowness, failures before and after the effect, partitions, full disks. And what
// happens to processes themselves: a crash leaves whatever was under way where it stood, a pause lets it go on much later.
import { Unavailable } from '../../../src/domain/errors.js';
import type { Timeline } from './timeline.js';

/** `log` and `docs` are what a process stores to, `store` the app stores, `net` the receivers of webhooks. */
export type Server = 'log' | 'docs' | 'store' | 'net';

/** A process as the world sees it. */
export type Host = {
  readonly name: string;
  isAlive: boolean;
  /** Until then nothing reaches it and nothing leaves it. */
  pausedUntil: number;
  /** Of its clock, in ms. */
  skewMs: number;
};

export type Weather = {
  /** Share of the operations that fail before, or after, their effect. */
  readonly failing: Map<Server, number>;
  /** Added to each operation, in ms. */
  readonly slow: Map<Server, number>;
  /** Writes are refused. */
  readonly full: Set<Server>;
  /** `host|server`: nothing gets through. */
  readonly cut: Set<string>;
  /**
   * Runs `operation` at the server as this host sees it: later, perhaps without an answer, perhaps not at all. What a dead host had
   * under way has its effect or not, and is never answered.
   */
  io<T>(host: Host, server: Server, kind: 'read' | 'write', name: string, operation: () => T | Promise<T>): Promise<T>;
  /** Waits, as the host does: longer while it is paused, for ever when it is dead. */
  wait(host: Host, ms: number, done: () => void): void;
  clear(): void;
  counts(): { readonly io: number; readonly failed: number; readonly unknown: number };
};

const TIMEOUT_MS = 3000;

export function createWeather(timeline: Timeline): Weather {
  const { random } = timeline;
  const failing = new Map<Server, number>();
  const slow = new Map<Server, number>();
  const full = new Set<Server>();
  const cut = new Set<string>();
  const counts = { io: 0, failed: 0, unknown: 0 };

  const wait: Weather['wait'] = (host, ms, done) => {
    timeline.after(ms, () => {
      if (!host.isAlive) return;
      if (host.pausedUntil > timeline.elapsed()) return wait(host, host.pausedUntil - timeline.elapsed(), done);
      done();
    });
  };
  const latency = (server: Server, kind: 'read' | 'write') =>
    random.whole(kind === 'write' ? 1 : 0, kind === 'write' ? 4 : 2) + random.next() * (slow.get(server) ?? 0);

  return {
    failing,
    slow,
    full,
    cut,
    wait,
    clear: () => {
      for (const some of [failing, slow, full, cut]) some.clear();
    },
    counts: () => counts,
    io: (host, server, kind, name, operation) =>
      new Promise((resolve, reject) => {
        counts.io++;
        const fail = (ms: number, why: string) => {
          counts.failed++;
          wait(host, ms, () => reject(new Unavailable(`${server}: ${why}`)));
        };
        const begin = () => {
          if (!host.isAlive) return;
          if (cut.has(`${host.name}|${server}`)) return fail(TIMEOUT_MS, 'no answer');
          const isFailing = random.chance(failing.get(server) ?? 0);
          const isUnknown = isFailing && random.chance(0.5);
          // What was sent before a crash may still arrive.
          const arrives = random.chance(0.5);
          timeline.after(latency(server, kind), () => {
            if (!host.isAlive && !arrives) return;
            if (isFailing && !isUnknown) return fail(random.whole(0, 300), 'failed before it was done');
            if (kind === 'write' && full.has(server)) return fail(1, 'no space left');
            void Promise.resolve()
              .then(operation)
              .then(
                (result) => {
                  if (kind === 'write') timeline.note(`${host.name} ${name}${host.isAlive ? '' : ' (dead)'}`);
                  if (!isUnknown) return wait(host, latency(server, 'read'), () => resolve(result));
                  counts.unknown++;
                  timeline.note(`${host.name} ${name} has no answer`);
                  fail(random.whole(0, 3000), 'answer lost');
                },
                (err: unknown) => wait(host, latency(server, 'read'), () => reject(err as Error)),
              );
          });
        };
        if (host.pausedUntil > timeline.elapsed()) wait(host, 0, begin);
        else begin();
      }),
  };
}
