// Runs all invariant checks after a run has quiesced.
import type { Played } from '../world/played.js';
import { checkAccess } from './access.js';
import { checkCharts } from './charts.js';
import { checkErased } from './erased.js';
import { checkFacts } from './facts.js';
import { checkLedgers } from './ledgers.js';
import { checkLive } from './live.js';
import { checkModels } from './models.js';
import { checkOwnWrites, checkReads } from './reads.js';
import { checkSubscriptions } from './subscriptions.js';
import { checkTeam } from './team.js';
import { checkTenants } from './tenants.js';
import { checkWebhooks } from './webhooks.js';
import { readWorld } from './reader.js';

/** Longer than a read model needs to catch up without faults. */
const SHOWN_MS = 5000;

export async function findingsOf(played: Played): Promise<readonly string[]> {
  const asked = [...(await checkAccess(played, await readWorld(played))), ...(await checkSubscriptions(played))];
  // The requests of the checks can append last-seen events themselves.
  await played.timeline.pass(SHOWN_MS);
  const reader = await readWorld(played);
  return [
    ...played.journal.faults,
    ...played.lines.filter((line) => line.includes('unexpected error')).map((line) => line.slice(0, 900)),
    ...checkFacts(played, reader),
    ...(await checkModels(await readWorld(played))),
    ...(await checkCharts(played, reader)),
    ...(await checkLedgers(played, reader)),
    ...(await checkWebhooks(played, reader)),
    ...asked,
    ...(await checkErased(played, reader)),
    ...(await checkTenants(played, reader)),
    ...(await checkTeam(played, reader)),
    ...(await checkLive(played, reader)),
    ...(await checkOwnWrites(played)),
    ...(await checkReads(played)),
  ];
}
