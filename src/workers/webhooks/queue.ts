// In-memory queue of due deliveries: the queues of the tenants, which take turns. The records are the source of truth; the queue may drop
// anything except deliveries in flight.
import type { StoredDelivery } from '../../commands/webhooks/deliveries.js';
import {
  createHeads,
  createTenantQueue,
  limits,
  moveToEnd,
  type EndpointName,
  type EndpointQueue,
  type EndpointStates,
  type Location,
  type Sending,
  type TenantQueue,
} from './tenant-queue.js';

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(states: EndpointStates) {
  const endpoints = new Map<string, EndpointQueue>();
  const tenants = new Map<string, TenantQueue>();
  /** Endpoints that have not been looked up. */
  const unlocated = new Map<string, EndpointQueue>();
  /** Requests in flight by delivery object. */
  const requests = new Map<StoredDelivery, Sending & { readonly tenant: TenantQueue }>();

  const queueOf = ({ projectId, endpointId }: EndpointName): EndpointQueue => {
    const current = endpoints.get(endpointId);
    if (current) return current;
    const created = { projectId, endpointId, tenantId: null, inFlight: 0, heads: createHeads() };
    endpoints.set(endpointId, created);
    unlocated.set(endpointId, created);
    return created;
  };

  const locate = (queue: EndpointQueue): Location | undefined => {
    const location = states.locationOf(queue.endpointId);
    if (!location) unlocated.set(queue.endpointId, queue);
    return location;
  };

  /** Assigns endpoints to their tenants; returns those that must still be looked up before anything is sent to them. */
  const assignTenants = (): readonly EndpointName[] => {
    for (const [endpointId, queue] of unlocated) {
      const location = states.locationOf(endpointId);
      if (!location) continue;
      const tenant = tenants.get(location.tenantId) ?? createTenantQueue(states, locate);
      tenants.set(location.tenantId, tenant);
      tenant.add(queue);
      queue.tenantId = location.tenantId;
      unlocated.delete(endpointId);
    }
    return [...unlocated.values()];
  };

  /**
   * Returns the next delivery to send and marks it as in flight; undefined when nothing may be sent now. Tenants take turns, and endpoints
   * within them.
   */
  const take = (): StoredDelivery | undefined => {
    assignTenants();
    const free = limits.inAll - requests.size;
    for (const [tenantId, tenant] of tenants) {
      const sending = tenant.take(free);
      if (!sending) continue;
      requests.set(sending.delivery, { ...sending, tenant });
      moveToEnd(tenants, tenantId, tenant);
      return sending.delivery;
    }
    return undefined;
  };

  /** Frees the place of a request after its response. Its serial queue stays busy until the outcome is stored. */
  const free = (delivery: StoredDelivery): void => {
    const request = requests.get(delivery);
    requests.delete(delivery);
    request?.tenant.free(request);
  };

  const tenantOf = ({ tenantId }: EndpointQueue) => (tenantId === null ? undefined : tenants.get(tenantId));

  return {
    offer: (delivery: StoredDelivery): void => {
      const queue = queueOf(delivery.doc);
      if (queue.heads.offer(delivery)) tenantOf(queue)?.unblock();
    },
    assignTenants,
    /** Unblocks all tenants; called at intervals, because circuit breakers close by time alone. */
    unblockAll: (): void => {
      for (const tenant of tenants.values()) tenant.unblock();
    },
    take,
    free,
    /** Ends a delivery. Returns true when another one of its serial queue was offered since. */
    finish: (delivery: StoredDelivery): boolean => {
      free(delivery);
      const queue = endpoints.get(delivery.doc.endpointId);
      if (!queue) return false;
      const hasNext = queue.heads.finish(delivery);
      const tenant = tenantOf(queue);
      tenant?.unblock();
      if (!queue.heads.isDone()) return hasNext;
      endpoints.delete(queue.endpointId);
      tenant?.remove(queue);
      if (tenant?.isEmpty() === true) tenants.delete(queue.tenantId ?? '');
      return hasNext;
    },
    hasRoom: ({ endpointId }: EndpointName): boolean => endpoints.get(endpointId)?.heads.hasRoom() ?? true,
    /** Returns the endpoints that have room again for dropped deliveries, each once. */
    takeRefillable: (): readonly EndpointName[] => [...endpoints.values()].filter(({ heads }) => heads.takeRefill()),
    inFlight: () => requests.size,
  };
}
