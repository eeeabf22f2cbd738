// Opens RevenueCat's API for a command, with errors that say what to set.
import { readConfig } from '../../adapters/configuration/config.js';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { openRevenueCat, type RevenueCat } from '../../adapters/revenuecat/open.js';
import { RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { Rejection } from '../../domain/errors.js';
import { fail, Failure } from '../support/failure.js';

/** Runs the work with RevenueCat's API as {@link untilInterrupted} does. */
export async function withRevenueCat(
  work: (revenueCat: RevenueCat, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await untilInterrupted(async (signal) => {
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

/** Runs the work until it is done or the user interrupts it, which aborts the signal. Prints its errors. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Failure('interrupted; with --progress FILE the same command continues'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    await work(stopping.signal);
  } catch (err) {
    fail(isExpected(err) ? new Failure(err.message) : err);
  }
}

function isExpected(err: unknown): err is Error {
  return err instanceof RevenueCatRefusal || err instanceof Rejection || importFilesOnDisk.isFileFault(err);
}

/** Returns the project of API v2. Throws {@link Failure} if it is not configured. */
export function requireProjectId({ projectId }: RevenueCat): string {
  if (projectId !== null) return projectId;
  throw new Failure(
    'REVENUECAT_PROJECT_ID is not set; set it to the ID of the RevenueCat project, such as proj1ab2c3d4',
  );
}
