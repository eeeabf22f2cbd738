// Watch over the event loop of the service, which runs in the process of the specs.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Limits of one request. Processor time is the measure that does not depend on what else the machine does, with room for slow processors; with
 * `LOOP_DELAY_MS`, on an idle machine, the delay of the event loop is one too.
 */
const MAX_CPU_MS = 1500;
const MAX_DELAY_MS = Number(process.env['LOOP_DELAY_MS'] ?? Infinity);

export type LoopWatch = {
  /** Runs one request; throws if it held up all others for too long. */
  readonly during: <T>(about: string, request: () => Promise<T>) => Promise<T>;
  readonly close: () => void;
};

/** Requests must follow one another: the time of all threads counts for the one that runs. */
export function watchLoop(): LoopWatch {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  return {
    during: async (about, request) => {
      delays.reset();
      const before = process.cpuUsage();
      const result = await request();
      const { user, system } = process.cpuUsage(before);
      const cpuMs = (user + system) / 1000;
      const delayMs = delays.max / 1e6;
      if (cpuMs > MAX_CPU_MS) throw new Error(`${about.slice(0, 300)}: ${cpuMs} ms of processor time`);
      if (delayMs > MAX_DELAY_MS) throw new Error(`${about.slice(0, 300)}: the event loop stood for ${delayMs} ms`);
      return result;
    },
    close: () => delays.disable(),
  };
}
