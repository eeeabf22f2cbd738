// Checks members and keys: refused writes left no trace, former admins have no admin access, and deleted keys are rejected.
import type { Simulation } from '../scenario/simulation.js';
import { FORBIDDEN_VALUE, logIn } from '../scenario/team.js';
import type { StoredData } from './stored-data.js';

export async function checkPermissions(simulation: Simulation, { events }: StoredData): Promise<string[]> {
  const { journal, client, tenants, awaitInTime } = simulation;
  const findings = events
    .filter(({ data }) => JSON.stringify(data).includes(FORBIDDEN_VALUE))
    .map(({ stream, type }) => `${type} in ${stream} was written without permission`);
  for (const { tenant, leaving } of journal.formerAdmins) {
    const { projectId, members } = tenants[tenant];
    const token = await awaitInTime(logIn(client, members.leaver, Infinity));
    if (token === null) {
      findings.push(`the leaver of ${tenant} cannot log in`);
      continue;
    }
    const ask = (path: string) =>
      awaitInTime(client.sendUntilAnswered({ method: 'GET', path: `/v1/projects/${projectId}${path}`, token }));
    const keys = await ask('/api-keys');
    const others = await ask('/members');
    const expected = leaving === 'removed' ? [404, 404] : [403, 200];
    const statuses = [keys?.status, others?.status];
    if (String(statuses) !== String(expected))
      findings.push(`${tenant}: the ${leaving} admin gets ${String(statuses)}`);
  }
  for (const name of journal.deletedKeys) {
    const { projectId, scopedKeys } = tenants[name];
    const path = `/v1/projects/${projectId}/customers`;
    const response = await awaitInTime(client.sendUntilAnswered({ method: 'GET', path, key: scopedKeys.goer.key }));
    if (response?.status !== 401) findings.push(`${name}: a deleted key gets ${response?.status}`);
  }
  return findings;
}
