// Checks the live feed: a client that resumes after its last line misses no line, gets none twice, and gets none of another project.
import { createLiveLines } from '../../../src/projections/queries/live-lines.js';
import type { Simulation } from '../scenario/simulation.js';
import { TENANTS } from '../scenario/tenant.js';
import type { StoredData } from './stored-data.js';

/** Time for the client to receive all missed lines. */
const READ_MS = 3000;

export async function checkLiveFeed(simulation: Simulation, { log, events }: StoredData): Promise<string[]> {
  const findings: string[] = [];
  const [process] = simulation.running();
  for (const tenant of TENANTS) {
    const { projectId } = simulation.tenants[tenant];
    const client = simulation.liveFeedClients[tenant];
    await simulation.awaitInTime(client.follow(READ_MS, process));
    const linesOf = createLiveLines(log);
    const received = new Set(client.ids);
    for (const event of events) {
      const line = await linesOf(event);
      if (line?.projectId === projectId && !received.has(line.position))
        findings.push(`the live feed of ${tenant} lacks ${event.type} at ${line.position}`);
      if (event.meta.projectId !== projectId && received.has(event.position))
        findings.push(`the live feed of ${tenant} has ${event.type} of ${event.meta.projectId}`);
    }
    for (const [i, id] of client.ids.entries())
      if (i > 0 && id <= (client.ids[i - 1] ?? ''))
        findings.push(`the live feed of ${tenant} has ${id} after ${client.ids[i - 1]}`);
  }
  return findings;
}
