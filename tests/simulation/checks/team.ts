// Checks members and keys: refused writes left no trace, former admins have no admin access, and deleted keys are rejected.
import type { Played } from '../world/played.js';
import { FORBIDDEN, logIn } from '../world/team.js';
import type { Reader } from './reader.js';

export async function checkTeam(played: Played, { events }: Reader): Promise<string[]> {
  const { journal, client, tenants, inTime } = played;
  const found = events
    .filter(({ data }) => JSON.stringify(data).includes(FORBIDDEN))
    .map(({ stream, type }) => `${type} in ${stream} was written without permission`);
  for (const { tenant, leaving } of journal.left) {
    const { projectId, members } = tenants[tenant];
    const token = await inTime(logIn(client, members.leaver, Infinity));
    if (token === null) {
      found.push(`the leaver of ${tenant} cannot log in`);
      continue;
    }
    const ask = (path: string) =>
      inTime(client.insist({ method: 'GET', path: `/v1/projects/${projectId}${path}`, token }));
    const keys = await ask('/api-keys');
    const others = await ask('/members');
    const expected = leaving === 'removed' ? [404, 404] : [403, 200];
    const shown = [keys?.status, others?.status];
    if (String(shown) !== String(expected)) found.push(`${tenant}: the ${leaving} admin gets ${String(shown)}`);
  }
  for (const name of journal.deletedKeys) {
    const { projectId, scopedKeys } = tenants[name];
    const path = `/v1/projects/${projectId}/customers`;
    const response = await inTime(client.insist({ method: 'GET', path, key: scopedKeys.goer.key }));
    if (response?.status !== 401) found.push(`${name}: a deleted key gets ${response?.status}`);
  }
  return found;
}
