// The process supervisor of a run: starts the processes, crashes them, and starts them again.
import type { Config } from '../../../src/adapters/configuration/config.js';
import { startProcess, type Installation, type Process } from '../engine/process.js';
import type { Host } from '../engine/fault-injector.js';

export type ProcessSupervisor = {
  /** Processes that accept requests. */
  running(): readonly Process[];
  host(process: number): Host;
  crash(process: number, forMs: number): void;
  /** Crashes all processes and starts them again at once. */
  restart(): void;
  areAllReady(): boolean;
  /** Crashes all processes, and stops their services to release their memory. */
  stopAll(): void;
};

const RESTART_DELAY_MS = 1000;

export function createProcessSupervisor(installation: Installation, config: Config, count: number): ProcessSupervisor {
  const { timeline } = installation;
  const hosts: Host[] = [];
  const started: Process[] = [];
  const running = new Map<string, { readonly process: Process; isReady: boolean }>();

  const start = (n: number): void => {
    const host: Host = { name: `p${n}`, isAlive: true, pausedUntil: 0, skewMs: hosts[n]?.skewMs ?? 0 };
    hosts[n] = host;
    timeline.record(`${host.name} starts`);
    startProcess(installation, config, host).then(
      (process) => {
        started.push(process);
        if (!host.isAlive) return;
        const entry = { process, isReady: false };
        running.set(host.name, entry);
        void process.service.ready.then(() => (entry.isReady = true));
      },
      (err: unknown) => {
        if (!host.isAlive) return;
        timeline.record(`${host.name} cannot start: ${err instanceof Error ? err.message : String(err)}`);
        host.isAlive = false;
        timeline.schedule(RESTART_DELAY_MS, () => start(n));
      },
    );
  };
  for (let n = 0; n < count; n++) start(n);
  const crash = (n: number, forMs: number): void => {
    const host = hosts[n];
    if (!host?.isAlive) return;
    timeline.record(`${host.name} crashes`);
    host.isAlive = false;
    running.delete(host.name);
    timeline.schedule(forMs, () => start(n));
  };
  return {
    running: () => [...running.values()].map(({ process }) => process),
    host: (n) => hosts[n] as Host,
    crash,
    restart: () => hosts.forEach((_, n) => crash(n, 0)),
    stopAll: () => {
      for (const host of hosts) host.isAlive = false;
      for (const { service } of started.splice(0)) service.stop().catch(() => undefined);
    },
    areAllReady: () => running.size === count && [...running.values()].every(({ isReady }) => isReady),
  };
}
