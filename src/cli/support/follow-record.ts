// Follows work that the running service does, by its record.
import type { Runtime } from '../../adapters/runtime.js';
import type { Config } from '../../adapters/configuration/config.js';
import { expectService } from './on-service.js';
import { withReading, type ReadOnlyData } from './open-for-reading.js';

const POLL_MS = 500;
/** Number of polls between liveness checks of the service. */
const POLLS_PER_CHECK = 10;

type WorkRecord<P> = { readonly state: string; readonly progress: P | null };
export type Following<P> = {
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: P) => void;
};

/**
 * Reads the record until the work has ended, and returns it then. Throws the reason of the signal, what `read` throws, and `Failure` if the
 * service stopped.
 */
export async function followRecord<P, T extends WorkRecord<P>>(
  read: (data: ReadOnlyData) => Promise<T>,
  { config, runtime, signal, onProgress }: Following<P> & { readonly config: Config },
): Promise<T> {
  for (let polls = 1; ; polls++) {
    const record = await withReading(read);
    if (!isOpen(record)) return record;
    if (record.progress !== null) onProgress(record.progress);
    if (polls % POLLS_PER_CHECK === 0) expectService(config);
    await pause(runtime, signal);
  }
}

/** Returns true for work that waits or runs. */
export function isOpen({ state }: { readonly state: string }): boolean {
  return state === 'waiting' || state === 'running';
}

/** Waits until the record is worth another look. Throws the reason of the signal. */
export async function pause(runtime: Runtime, signal: AbortSignal): Promise<void> {
  await runtime.sleep(POLL_MS, signal);
  signal.throwIfAborted();
}
