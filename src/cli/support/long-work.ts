// Frames of commands that take long: an interruption ends them with what continues them.
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { openRevenueCat, type RevenueCat, RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import { systemRuntime, type Runtime } from '../../adapters/runtime.js';
import { expectService } from './on-service.js';
import { Failure } from './outcome.js';
import { withReading, type ReadOnlyData } from './open-for-reading.js';

/**
 * Runs the work until it is done or the user interrupts it, which aborts the signal with `advice` as a {@link Failure}. Throws its errors, a
 * refusal or a fault of a file as a {@link Failure}.
 */
export async function untilInterrupted(advice: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Failure(advice)));
  try {
    await work(stopping.signal);
  } catch (err) {
    throw isExpected(err) ? new Failure(err.message) : err;
  }
}

function isExpected(err: unknown): err is Error {
  return err instanceof RevenueCatRefusal || importFilesOnDisk.isFileFault(err);
}

/** Message to a user who interrupts a comparison. */
export const INTERRUPTED = 'interrupted; with --progress FILE the same command continues';

/** Runs the work with RevenueCat's API as {@link untilInterrupted} does. */
export async function withRevenueCat(
  work: (revenueCat: RevenueCat, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await untilInterrupted(INTERRUPTED, async (signal) => {
    const revenueCat = openRevenueCat(readConfig(process.env), systemRuntime());
    if (!revenueCat)
      throw new Failure('REVENUECAT_API_KEY is not set; set it to a secret key of the RevenueCat project');
    try {
      await work(revenueCat, signal);
    } finally {
      await revenueCat.close();
    }
  });
}

/** Returns the project of API v2. Throws {@link Failure} if it is not configured. */
export function requireProjectId({ projectId }: RevenueCat): string {
  if (projectId !== null) return projectId;
  throw new Failure(
    'REVENUECAT_PROJECT_ID is not set; set it to the ID of the RevenueCat project, such as proj1ab2c3d4',
  );
}

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
