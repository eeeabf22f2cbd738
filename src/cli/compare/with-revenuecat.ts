// Opens RevenueCat's API for a command, with errors that say what to set.
import { readConfig } from '../../adapters/configuration/config.js';
import { openRevenueCat, type RevenueCat } from '../../adapters/revenuecat/open.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { Failure } from '../support/failure.js';
import { untilInterrupted } from '../support/until-interrupted.js';

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
