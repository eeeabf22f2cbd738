// Targets of deliveries with their signing keys, cached for a second and invalidated by each change in the feed: a series of deliveries to
// one endpoint decrypts its secrets once.
import type { Logger } from 'pino';
import { createBoundedCache, createExpiringCache } from '../../adapters/bounded-cache.js';
import { readRecord } from '../../adapters/documents/records.js';
import type { Deps } from '../../commands/handling/deps.js';
import { openSigningKeys, type SigningKeys } from '../../commands/webhooks/secrets.js';
import { streams } from '../../domain/streams.js';
import type { EndpointHealthTracker, EndpointRef } from './endpoint-health.js';
import { endpointCollection, currentEndpoint, type Endpoint } from './endpoints.js';
import type { EndpointName } from './tenant-queue.js';

/** Target of deliveries. `keys` is null for unsigned ones (raw notifications). */
export type Target = { readonly ref: EndpointRef; readonly endpoint: Endpoint; readonly keys: SigningKeys | null };

/** Result of a lookup. `unknown`: the fan-out has not reached the endpoint. `gone`: it was deleted. */
export type TargetLookup = Target | 'unknown' | 'gone';

/** Maximum delay before changed or expired secrets are noticed here, such as those changed by another process. */
const CACHE_TTL_MS = 1000;
const MAX_CACHED = 5000;

export type Targets = ReturnType<typeof createTargets>;

export function createTargets(deps: Deps) {
  const { docs, runtime } = deps;
  const cached = createExpiringCache<string, Target>(MAX_CACHED, runtime);
  /** Counter of invalidations: a read during one is not cached. */
  let generation = 0;
  /** Accounts that created the projects, which never change. */
  const owners = createBoundedCache<string, string>(MAX_CACHED);

  /** Returns the tenant of a project; a deleted project is a tenant of its own. */
  const tenantOf = async (projectId: string): Promise<string> => {
    const owner = owners.get(projectId);
    if (owner !== undefined) return owner;
    const ownerId = (await deps.projects.get(streams.project(projectId)))?.ownerId;
    if (ownerId !== undefined) owners.set(projectId, ownerId);
    return ownerId ?? projectId;
  };

  const read = async (projectId: string, endpointId: string): Promise<TargetLookup> => {
    const { doc } = await readRecord(docs, endpointCollection.name, endpointId);
    if (!doc) return 'unknown';
    const endpoint = currentEndpoint(doc);
    if (!endpoint) return 'gone';
    const { kind, enabledSince, url } = endpoint;
    const location = { tenantId: await tenantOf(projectId), host: new URL(url).host };
    const ref = { projectId, endpointId, kind, enabledSince, ...location };
    if (kind !== 'webhook') return { ref, endpoint, keys: null };
    const keys = await openSigningKeys(deps, { projectId, webhookId: endpointId });
    return keys ? { ref, endpoint, keys } : 'gone';
  };

  return {
    find: async (projectId: string, endpointId: string): Promise<TargetLookup> => {
      const current = cached.get(endpointId);
      if (current) return current;
      const generationBefore = generation;
      const target = await read(projectId, endpointId);
      cached.delete(endpointId);
      if (typeof target === 'string' || generationBefore !== generation) return target;
      cached.set(endpointId, target, CACHE_TTL_MS);
      return target;
    },
    invalidate: (endpointId: string): void => {
      generation++;
      cached.delete(endpointId);
    },
  };
}

/** Lookups of endpoints that are new in the queue, one at a time for each. */
export function createEndpointLookups(targets: Targets, health: EndpointHealthTracker, logger: Logger) {
  const running = new Set<string>();
  const register = async ({ projectId, endpointId }: EndpointName): Promise<void> => {
    const target = await targets.find(projectId, endpointId);
    if (typeof target === 'string') health.locate(endpointId, { tenantId: projectId, host: endpointId });
    else await health.register(target.ref);
  };
  return {
    /** Resolves when the location is known, or could not be looked up. Null: the endpoint is being looked up. */
    start: (name: EndpointName): Promise<void> | null => {
      const { endpointId } = name;
      if (running.has(endpointId)) return null;
      running.add(endpointId);
      const failed = (err: unknown) => logger.error({ endpointId, err }, 'could not look up webhook endpoint');
      return register(name)
        .catch(failed)
        .then(() => void running.delete(endpointId));
    },
  };
}
