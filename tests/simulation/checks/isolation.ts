// Checks isolation: equal customer and purchase IDs in two projects never mix.
import { familyOf } from '../../../src/domain/streams.js';
import type { Simulation } from '../scenario/simulation.js';
import type { StoredData } from './stored-data.js';

/** Collections that belong to users or to a process. */
const UNSCOPED_COLLECTION = /^(users|newest_attempts)/;

export async function checkIsolation(simulation: Simulation, { events }: StoredData): Promise<string[]> {
  const findings: string[] = [];
  const { acme, bert } = simulation.tenants;
  const owners = new Map<string, Set<string>>();
  for (const { stream, meta } of events) {
    if (meta.projectId === undefined || familyOf(stream) === 'user') continue;
    owners.set(stream, (owners.get(stream) ?? new Set()).add(meta.projectId));
  }
  for (const [stream, projects] of owners)
    if (projects.size > 1) findings.push(`${stream} contains events of ${[...projects].join(' and ')}`);
  for (const [c, id, text] of await simulation.allDocuments())
    if (text.includes(acme.projectId) && text.includes(bert.projectId) && !UNSCOPED_COLLECTION.test(c))
      findings.push(`${c} ${id} names both projects`);
  const response = await simulation.awaitInTime(
    simulation.client.sendUntilAnswered({
      method: 'GET',
      path: `/v1/projects/${acme.projectId}/customers`,
      key: bert.secretKey,
    }),
  );
  if (response?.status !== 403) findings.push(`a key of bert gets ${response?.status} for acme`);
  return findings;
}
