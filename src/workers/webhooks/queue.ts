// In-memory queue of due deliveries: the heads of the serial queues by tenant and endpoint, and the choice of the next delivery. The
// records are the source of truth; the queue may drop anything except deliveries in flight.
import type { StoredDelivery } from '../../commands/webhooks/deliveries.js';
import type { Admission } from '../../domain/webhook/health.js';

/**
 * Limits on requests in flight. A tenant gets another one only while it has fewer than are free in total: a single tenant can use half of
 * them, and a tenant without any gets one immediately. Endpoints that do not respond promptly share a few by their host, so that hanging
 * requests leave the rest to others, also to other endpoints of the same host.
 */
export const limits = { inAll: 512, perEndpoint: 2, perSlowHost: 2, slowPerTenant: 8 };

/** Maximum heads in memory per endpoint; further ones stay in the records until half of these are sent. */
const MAX_QUEUED = 2000;

export type EndpointName = { readonly projectId: string; readonly endpointId: string };

/** Tenant and host of an endpoint. A tenant is the account that created the project. */
export type Location = { readonly tenantId: string; readonly host: string };

export type EndpointStates = {
  /** Returns the location; undefined until the endpoint has been looked up, and nothing is sent to it before. */
  locationOf(endpointId: string): Location | undefined;
  endpointAdmission(endpointId: string): Admission;
  hostAdmission(location: Location): Admission;
  /** Returns whether the latest response of the endpoint was fast; before its first attempt, that of its host. */
  isPrompt(endpointId: string, location: Location): boolean;
};

type EndpointQueue = EndpointName & {
  /** Null until the endpoint has been looked up. */
  tenantId: string | null;
  inFlight: number;
  /** Heads by serial key, at most one per serial queue. */
  readonly heads: Map<string, StoredDelivery>;
  /** Serial keys in flight, and whether another delivery of each was offered since. */
  readonly busyKeys: Map<string, boolean>;
  /** True if deliveries were dropped because the queue was full. */
  hasMore: boolean;
};

type TenantQueue = {
  inFlight: number;
  /**
   * True if nothing may be sent until it gets a delivery, a request ends or a circuit breaker's time is up: blocked endpoints are scanned
   * only once.
   */
  isBlocked: boolean;
  /** Requests in flight to endpoints that were not prompt, by host, if any. */
  readonly slowHosts: Map<string, number>;
  readonly endpoints: Map<string, EndpointQueue>;
};

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(states: EndpointStates) {
  const endpoints = new Map<string, EndpointQueue>();
  const tenants = new Map<string, TenantQueue>();
  /** Endpoints that have not been looked up. */
  const unlocated = new Map<string, EndpointQueue>();
  /** Requests in flight by delivery object. */
  const requests = new Map<StoredDelivery, Location & { readonly endpoint: EndpointQueue; readonly isSlow: boolean }>();

  const unblock = ({ tenantId }: EndpointQueue): void => {
    const tenant = tenantId === null ? undefined : tenants.get(tenantId);
    if (tenant) tenant.isBlocked = false;
  };

  const queueOf = (projectId: string, endpointId: string): EndpointQueue => {
    const current = endpoints.get(endpointId);
    if (current) return current;
    const none = { inFlight: 0, heads: new Map<string, StoredDelivery>(), busyKeys: new Map<string, boolean>() };
    const created = { projectId, endpointId, tenantId: null, hasMore: false, ...none };
    endpoints.set(endpointId, created);
    unlocated.set(endpointId, created);
    return created;
  };

  const offer = (delivery: StoredDelivery): void => {
    const { projectId, endpointId, place } = delivery.doc;
    const key = serialKeyOf(delivery);
    const queue = queueOf(projectId, endpointId);
    if (queue.busyKeys.has(key)) return void queue.busyKeys.set(key, true);
    const head = queue.heads.get(key);
    if (head && head.doc.place < place) return;
    if (!head && queue.heads.size >= MAX_QUEUED) queue.hasMore = true;
    else queue.heads.set(key, delivery);
    unblock(queue);
  };

  /** Assigns endpoints to their tenants; returns those that must still be looked up before anything is sent to them. */
  const assignTenants = (): readonly EndpointName[] => {
    for (const [endpointId, queue] of unlocated) {
      const location = states.locationOf(endpointId);
      if (!location) continue;
      const none = { inFlight: 0, isBlocked: false };
      const tenant = tenants.get(location.tenantId) ?? { ...none, slowHosts: new Map(), endpoints: new Map() };
      tenants.set(location.tenantId, tenant);
      tenant.endpoints.set(endpointId, queue);
      queue.tenantId = location.tenantId;
      unblock(queue);
      unlocated.delete(endpointId);
    }
    return [...unlocated.values()];
  };

  type Choice = Location & { readonly next: StoredDelivery; readonly isSlow: boolean };
  const chooseNext = (tenant: TenantQueue, queue: EndpointQueue): Choice | undefined => {
    if (queue.heads.size === 0 || queue.inFlight >= limits.perEndpoint) return undefined;
    const location = states.locationOf(queue.endpointId);
    if (!location) {
      unlocated.set(queue.endpointId, queue);
      return undefined;
    }
    const admission = states.endpointAdmission(queue.endpointId);
    if (!admits(admission, queue.inFlight)) return undefined;
    const isSlow = !states.isPrompt(queue.endpointId, location);
    if (isSlow && !admitsSlow(tenant, location)) return undefined;
    const next = admission === 'probe' ? oldestOf(queue.heads) : queue.heads.values().next().value;
    return next && { ...location, next, isSlow };
  };

  const admitsSlow = ({ slowHosts }: TenantQueue, location: Location): boolean => {
    const ofHost = slowHosts.get(location.host) ?? 0;
    if (ofHost >= limits.perSlowHost || !admits(states.hostAdmission(location), ofHost)) return false;
    const inAll = [...slowHosts.values()].reduce((sum, inFlight) => sum + inFlight, 0);
    return inAll < limits.slowPerTenant;
  };

  /**
   * Returns the next delivery to send and marks it as in flight; undefined when nothing may be sent now. Tenants take turns, and endpoints
   * within them.
   */
  const take = (): StoredDelivery | undefined => {
    assignTenants();
    const free = limits.inAll - requests.size;
    for (const [tenantId, tenant] of tenants) {
      if (tenant.isBlocked || tenant.inFlight >= free) continue;
      for (const [endpointId, queue] of tenant.endpoints) {
        const chosen = chooseNext(tenant, queue);
        if (!chosen) continue;
        const { next, host, isSlow } = chosen;
        const key = serialKeyOf(next);
        queue.heads.delete(key);
        queue.busyKeys.set(key, false);
        requests.set(next, { tenantId, host, endpoint: queue, isSlow });
        [queue.inFlight, tenant.inFlight] = [queue.inFlight + 1, tenant.inFlight + 1];
        if (isSlow) tenant.slowHosts.set(host, (tenant.slowHosts.get(host) ?? 0) + 1);
        moveToEnd(tenant.endpoints, endpointId, queue);
        moveToEnd(tenants, tenantId, tenant);
        return next;
      }
      tenant.isBlocked = true;
    }
    return undefined;
  };

  /** Frees the place of a request after its response. Its serial queue stays busy until the outcome is stored. */
  const free = (delivery: StoredDelivery): void => {
    const place = requests.get(delivery);
    if (!place) return;
    requests.delete(delivery);
    const { endpoint, tenantId, host, isSlow } = place;
    endpoint.inFlight--;
    const tenant = tenants.get(tenantId);
    if (!tenant) return;
    tenant.inFlight--;
    tenant.isBlocked = false;
    if (!isSlow) return;
    const remaining = (tenant.slowHosts.get(host) ?? 0) - 1;
    if (remaining > 0) tenant.slowHosts.set(host, remaining);
    else tenant.slowHosts.delete(host);
  };

  /** Ends a delivery. Returns true when another one of its serial queue was offered since. */
  const finish = (delivery: StoredDelivery): boolean => {
    free(delivery);
    const queue = endpoints.get(delivery.doc.endpointId);
    if (!queue) return false;
    const hasNext = queue.busyKeys.get(serialKeyOf(delivery)) === true;
    queue.busyKeys.delete(serialKeyOf(delivery));
    unblock(queue);
    if (queue.busyKeys.size > 0 || queue.heads.size > 0 || queue.hasMore) return hasNext;
    endpoints.delete(queue.endpointId);
    const tenant = queue.tenantId === null ? undefined : tenants.get(queue.tenantId);
    tenant?.endpoints.delete(queue.endpointId);
    if (tenant?.endpoints.size === 0) tenants.delete(queue.tenantId ?? '');
    return hasNext;
  };

  const hasRoom = ({ endpointId }: EndpointName): boolean =>
    (endpoints.get(endpointId)?.heads.size ?? 0) < MAX_QUEUED / 2;

  /** Returns the endpoints that have room again for dropped deliveries, each once. */
  const takeRefillable = (): readonly EndpointName[] => {
    const names: EndpointName[] = [];
    for (const queue of endpoints.values()) {
      if (!queue.hasMore || !hasRoom(queue)) continue;
      queue.hasMore = false;
      names.push({ projectId: queue.projectId, endpointId: queue.endpointId });
    }
    return names;
  };

  /** Unblocks all tenants; called at intervals, because circuit breakers close by time alone. */
  const unblockAll = (): void => {
    for (const tenant of tenants.values()) tenant.isBlocked = false;
  };

  return {
    offer,
    assignTenants,
    unblockAll,
    take,
    free,
    finish,
    hasRoom,
    takeRefillable,
    inFlight: () => requests.size,
  };
}

/** Returns the key of a delivery's serial queue. One that has left its queue has a key of its own: neither waits for the other. */
function serialKeyOf({ id, doc }: StoredDelivery): string {
  return doc.gate === 'lane' ? doc.lane : id;
}

function admits(admission: Admission, inFlight: number): boolean {
  return admission === 'all' || (admission === 'probe' && inFlight === 0);
}

function oldestOf(heads: ReadonlyMap<string, StoredDelivery>): StoredDelivery | undefined {
  let oldest: StoredDelivery | undefined;
  for (const one of heads.values()) if (!oldest || one.doc.place < oldest.doc.place) oldest = one;
  return oldest;
}

function moveToEnd<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}
