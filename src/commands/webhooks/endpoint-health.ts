// Record of an endpoint's health, by the id of its webhook or of the forwarding app. Only the sender writes it.
import { updateRecord, recordsNamed, readRecords } from '../../adapters/documents/records.js';
import { noHealth, type EndpointHealth } from '../../domain/webhook/health.js';
import type { Deps } from '../handling/deps.js';

/** Health in a record of an earlier version. */
type FormerHealth = Omit<EndpointHealth, 'enabledSince'> & { readonly era: string };

export const endpointHealthCollection = {
  name: recordsNamed<EndpointHealth | FormerHealth>('endpoint_health'),
  indexes: [],
};

export async function readHealth(
  { docs }: Pick<Deps, 'docs'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EndpointHealth>> {
  const found = await readRecords(docs, endpointHealthCollection.name, ids);
  return new Map(ids.map((id) => [id, currentHealth(found.get(id) ?? noHealth)]));
}

function currentHealth(stored: EndpointHealth | FormerHealth): EndpointHealth {
  if ('enabledSince' in stored) return stored;
  const { era: enabledSince, ...health } = stored;
  return { ...health, enabledSince };
}

/** The sender is the only writer; if two run concurrently, counts of the same second may be lost. */
export async function saveHealth({ docs }: Pick<Deps, 'docs'>, id: string, health: EndpointHealth): Promise<void> {
  await updateRecord(docs, endpointHealthCollection.name, id, () => health);
}
