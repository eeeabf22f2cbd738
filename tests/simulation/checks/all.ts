// Runs all invariant checks after a run has quiesced.
import type { Simulation } from '../scenario/simulation.js';
import { checkAccess } from './access.js';
import { checkCharts } from './charts.js';
import { checkErasure } from './erasure.js';
import { checkLog } from './log.js';
import { checkLedgers } from './ledgers.js';
import { checkLiveFeed } from './live-feed.js';
import { checkReadModels } from './read-models.js';
import { checkOwnWrites, checkReads } from './reads.js';
import { checkSubscriptions } from './subscriptions.js';
import { checkPermissions } from './permissions.js';
import { checkIsolation } from './isolation.js';
import { checkWebhooks } from './webhooks.js';
import { readStoredData } from './stored-data.js';

/** Longer than a read model needs to catch up without faults. */
const CATCH_UP_MS = 5000;

export async function runChecks(simulation: Simulation): Promise<readonly string[]> {
  const accessFindings = [
    ...(await checkAccess(simulation, await readStoredData(simulation))),
    ...(await checkSubscriptions(simulation)),
  ];
  // The requests of the checks can append last-seen events themselves.
  await simulation.timeline.advance(CATCH_UP_MS);
  const reader = await readStoredData(simulation);
  return [
    ...simulation.journal.violations,
    ...simulation.logLines.filter((line) => line.includes('unexpected error')).map((line) => line.slice(0, 900)),
    ...checkLog(simulation, reader),
    ...(await checkReadModels(await readStoredData(simulation))),
    ...(await checkCharts(simulation, reader)),
    ...(await checkLedgers(simulation, reader)),
    ...(await checkWebhooks(simulation, reader)),
    ...accessFindings,
    ...(await checkErasure(simulation, reader)),
    ...(await checkIsolation(simulation, reader)),
    ...(await checkPermissions(simulation, reader)),
    ...(await checkLiveFeed(simulation, reader)),
    ...(await checkOwnWrites(simulation)),
    ...(await checkReads(simulation)),
  ];
}
