// Checks isolation: equal customer and purchase IDs in two projects never mix.
import { familyOf } from '../../../src/domain/streams.js';
import type { Played } from '../world/played.js';
import type { Reader } from './reader.js';

/** Collections that belong to users or to a process. */
const OF_NO_PROJECT = /^(users|newest_attempts)/;

export async function checkTenants(played: Played, { events }: Reader): Promise<string[]> {
  const found: string[] = [];
  const { acme, bert } = played.tenants;
  const owners = new Map<string, Set<string>>();
  for (const { stream, meta } of events) {
    if (meta.projectId === undefined || familyOf(stream) === 'user') continue;
    owners.set(stream, (owners.get(stream) ?? new Set()).add(meta.projectId));
  }
  for (const [stream, projects] of owners)
    if (projects.size > 1) found.push(`${stream} contains events of ${[...projects].join(' and ')}`);
  for (const [c, id, text] of await played.allDocuments())
    if (text.includes(acme.projectId) && text.includes(bert.projectId) && !OF_NO_PROJECT.test(c))
      found.push(`${c} ${id} names both projects`);
  const asked = await played.inTime(
    played.client.insist({ method: 'GET', path: `/v1/projects/${acme.projectId}/customers`, key: bert.secretKey }),
  );
  if (asked?.status !== 403) found.push(`a key of bert gets ${asked?.status} for acme`);
  return found;
}
