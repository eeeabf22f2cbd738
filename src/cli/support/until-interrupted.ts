// Frame of a command that takes long: an interruption ends it with what continues it.
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import { Rejection } from '../../domain/errors.js';
import { fail, Failure } from './failure.js';

/**
 * Runs the work until it is done or the user interrupts it, which aborts the signal with `advice` as a {@link Failure}. Prints its errors, a
 * refusal or a fault of a file without a stack.
 */
export async function untilInterrupted(advice: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Failure(advice)));
  try {
    await work(stopping.signal);
  } catch (err) {
    fail(isExpected(err) ? new Failure(err.message) : err);
  }
}

function isExpected(err: unknown): err is Error {
  return err instanceof RevenueCatRefusal || err instanceof Rejection || importFilesOnDisk.isFileFault(err);
}
