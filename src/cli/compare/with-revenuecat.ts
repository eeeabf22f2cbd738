// Opens RevenueCat's API for a command, with errors that say what to set.
import { readConfig } from '../../adapters/configuration/config.js';
import { openRevenueCat, type RevenueCat } from '../../adapters/revenuecat/open.js';
import { RevenueCatRefusal } from '../../adapters/revenuecat/requests.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { fail, Failure } from '../support/failure.js';

/** Runs the work until it is done or the user interrupts it, which aborts the signal. */
export async function withRevenueCat(
  work: (revenueCat: RevenueCat, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Failure('interrupted; with --progress FILE the same command continues'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    const revenueCat = openRevenueCat(readConfig(process.env), systemRuntime());
    if (!revenueCat)
      throw new Failure('REVENUECAT_API_KEY is not set; set it to a secret key of the RevenueCat project');
    try {
      await work(revenueCat, stopping.signal);
    } finally {
      await revenueCat.close();
    }
  } catch (err) {
    fail(err instanceof RevenueCatRefusal ? new Failure(err.message) : err);
  }
}

/** Returns the project of API v2. Throws {@link Failure} if it is not configured. */
export function requireProjectId({ projectId }: RevenueCat): string {
  if (projectId !== null) return projectId;
  throw new Failure(
    'REVENUECAT_PROJECT_ID is not set; set it to the ID of the RevenueCat project, such as proj1ab2c3d4',
  );
}
