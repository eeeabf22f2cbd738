// Checks the live feed: a client that resumes after its last line misses no line, gets none twice, and gets none of another project.
import { createLiveLines } from '../../../src/projections/queries/live-lines.js';
import type { Played } from '../world/played.js';
import { TENANTS } from '../world/tenant.js';
import type { Reader } from './reader.js';

/** Time for the client to receive all missed lines. */
const READ_MS = 3000;

export async function checkLive(played: Played, { log, events }: Reader): Promise<string[]> {
  const found: string[] = [];
  const [process] = played.serving();
  for (const by of TENANTS) {
    const { projectId } = played.tenants[by];
    const viewer = played.viewers[by];
    await played.inTime(viewer.watch(READ_MS, process));
    const linesOf = createLiveLines(log);
    const seen = new Set(viewer.ids);
    for (const event of events) {
      const line = await linesOf(event);
      if (line?.projectId === projectId && !seen.has(line.position))
        found.push(`the live feed of ${by} lacks ${event.type} at ${line.position}`);
      if (event.meta.projectId !== projectId && seen.has(event.position))
        found.push(`the live feed of ${by} has ${event.type} of ${event.meta.projectId}`);
    }
    for (const [i, id] of viewer.ids.entries())
      if (i > 0 && id <= (viewer.ids[i - 1] ?? ''))
        found.push(`the live feed of ${by} has ${id} after ${viewer.ids[i - 1]}`);
  }
  return found;
}
