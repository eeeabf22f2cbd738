// The process supervisor of a run: starts the processes, crashes them, and starts them again.
import type { Config } from '../../../src/adapters/configuration/config.js';
import { startProcess, type Installation, type Process } from '../engine/process.js';
import type { Host } from '../engine/weather.js';

export type Crew = {
  /** Processes that accept requests. */
  serving(): readonly Process[];
  host(process: number): Host;
  crash(process: number, forMs: number): void;
  /** Crashes all processes and starts them again at once. */
  restart(): void;
  allReady(): boolean;
  /** Crashes all processes, and stops their services to release their memory. */
  end(): void;
};

const AGAIN_MS = 1000;

export function createCrew(world: Installation, config: Config, count: number): Crew {
  const { timeline } = world;
  const hosts: Host[] = [];
  const started: Process[] = [];
  const running = new Map<string, { readonly process: Process; isReady: boolean }>();

  const boot = (n: number): void => {
    const host: Host = { name: `p${n}`, isAlive: true, pausedUntil: 0, skewMs: hosts[n]?.skewMs ?? 0 };
    hosts[n] = host;
    timeline.note(`${host.name} starts`);
    startProcess(world, config, host).then(
      (process) => {
        started.push(process);
        if (!host.isAlive) return;
        const one = { process, isReady: false };
        running.set(host.name, one);
        void process.service.ready.then(() => (one.isReady = true));
      },
      (err: unknown) => {
        if (!host.isAlive) return;
        timeline.note(`${host.name} cannot start: ${err instanceof Error ? err.message : String(err)}`);
        host.isAlive = false;
        timeline.after(AGAIN_MS, () => boot(n));
      },
    );
  };
  for (let n = 0; n < count; n++) boot(n);
  const crash = (n: number, forMs: number): void => {
    const host = hosts[n];
    if (!host?.isAlive) return;
    timeline.note(`${host.name} crashes`);
    host.isAlive = false;
    running.delete(host.name);
    timeline.after(forMs, () => boot(n));
  };
  return {
    serving: () => [...running.values()].map(({ process }) => process),
    host: (n) => hosts[n] as Host,
    crash,
    restart: () => hosts.forEach((_, n) => crash(n, 0)),
    end: () => {
      for (const host of hosts) host.isAlive = false;
      for (const { service } of started.splice(0)) service.stop().catch(() => undefined);
    },
    allReady: () => running.size === count && [...running.values()].every(({ isReady }) => isReady),
  };
}
