// Frame of a command that takes long: an interruption ends it with what continues it.
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import { Failure } from './failure.js';

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
