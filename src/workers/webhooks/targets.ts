// Where a delivery goes and what signs it, cached for a second and dropped with each change in the feed: a run of
// deliveries to one endpoint opens its secrets once.
import { createBoundedCache, createExpiringCache } from '../../adapters/bounded-cache.js';
import { readRecord } from '../../adapters/documents/records.js';
import type { Deps } from '../../commands/handling/deps.js';
import { openSigningKeys, type SigningKeys } from '../../commands/webhooks/secrets.js';
import { streams } from '../../domain/streams.js';
import type { EndpointRef } from './endpoint-care.js';
import { endpointCollection, endpointNow, type Endpoint, type EndpointDoc } from './endpoints.js';

/** `keys` null: unsigned, as raw notifications are. */
export type Target = { readonly ref: EndpointRef; readonly endpoint: Endpoint; readonly keys: SigningKeys | null };

/** `unknown`: the fan-out has not come to the endpoint. `gone`: it has ended. */
export type Found = Target | 'unknown' | 'gone';

export type Targets = ReturnType<typeof createTargets>;

/** So long another process may have changed the secrets, or a secret may have ended, before it is noticed here. */
const REMEMBERED_MS = 1000;
const MAX_CACHED = 5000;

export function createTargets(deps: Deps) {
  const { docs, runtime } = deps;
  const cached = createExpiringCache<string, Target>(MAX_CACHED, runtime);
  /** What was read while it was forgotten is not remembered. */
  let era = 0;
  /** Accounts that created the projects: they never change. */
  const owners = createBoundedCache<string, string>(MAX_CACHED);

  /** A deleted project is a tenant by itself. */
  const tenantOf = async (projectId: string): Promise<string> => {
    const known = owners.get(projectId);
    if (known !== undefined) return known;
    const ownerId = (await deps.projects.get(streams.project(projectId)))?.ownerId;
    if (ownerId !== undefined) owners.set(projectId, ownerId);
    return ownerId ?? projectId;
  };

  const read = async (projectId: string, endpointId: string): Promise<Found> => {
    const doc = (await readRecord(docs, endpointCollection.name, endpointId)).doc as EndpointDoc | null;
    if (!doc) return 'unknown';
    const endpoint = endpointNow(doc);
    if (!endpoint) return 'gone';
    const { kind, era: enabledSince, url } = endpoint;
    const location = { tenantId: await tenantOf(projectId), host: new URL(url).host };
    const ref = { projectId, endpointId, kind, era: enabledSince, ...location };
    if (kind !== 'webhook') return { ref, endpoint, keys: null };
    const keys = await openSigningKeys(deps, { projectId, webhookId: endpointId });
    return keys ? { ref, endpoint, keys } : 'gone';
  };

  return {
    of: async (projectId: string, endpointId: string): Promise<Found> => {
      const known = cached.get(endpointId);
      if (known) return known;
      const begun = era;
      const found = await read(projectId, endpointId);
      cached.delete(endpointId);
      if (typeof found === 'string' || begun !== era) return found;
      cached.set(endpointId, found, REMEMBERED_MS);
      return found;
    },
    forget: (endpointId: string): void => {
      era++;
      cached.delete(endpointId);
    },
  };
}
