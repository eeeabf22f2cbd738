// Due deliveries of one tenant in memory: the heads of the serial queues of its endpoints, its requests in flight, and the choice of the
// next of its deliveries within the limits.
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

export type EndpointQueue = EndpointName & {
  /** Null until the endpoint has been looked up. */
  tenantId: string | null;
  inFlight: number;
  readonly heads: Heads;
};

/** A delivery in flight, or chosen for it. */
export type Sending = {
  readonly delivery: StoredDelivery;
  readonly queue: EndpointQueue;
  /** Host of an endpoint that is not prompt. */
  readonly slowHost: string | null;
};

export type TenantQueue = ReturnType<typeof createTenantQueue>;

/** `locate`: returns the location of an endpoint; without one nothing is sent to it. */
export function createTenantQueue(states: EndpointStates, locate: (queue: EndpointQueue) => Location | undefined) {
  const endpoints = new Map<string, EndpointQueue>();
  /** Requests in flight to endpoints that were not prompt, by host, if any. */
  const slowHosts = new Map<string, number>();
  let inFlight = 0;
  /**
   * True if nothing may be sent until it gets a delivery, a request ends or a circuit breaker's time is up: blocked endpoints are scanned
   * only once.
   */
  let isBlocked = false;

  const admitsSlow = (location: Location): boolean => {
    const ofHost = slowHosts.get(location.host) ?? 0;
    if (ofHost >= limits.perSlowHost || !admits(states.hostAdmission(location), ofHost)) return false;
    const inAll = [...slowHosts.values()].reduce((sum, ofOne) => sum + ofOne, 0);
    return inAll < limits.slowPerTenant;
  };

  const chooseNext = (queue: EndpointQueue): Sending | undefined => {
    if (queue.heads.isEmpty() || queue.inFlight >= limits.perEndpoint) return undefined;
    const location = locate(queue);
    if (!location) return undefined;
    const admission = states.endpointAdmission(queue.endpointId);
    if (!admits(admission, queue.inFlight)) return undefined;
    const isSlow = !states.isPrompt(queue.endpointId, location);
    if (isSlow && !admitsSlow(location)) return undefined;
    const delivery = admission === 'probe' ? queue.heads.oldest() : queue.heads.first();
    return delivery && { delivery, queue, slowHost: isSlow ? location.host : null };
  };

  const start = ({ delivery, queue, slowHost }: Sending): void => {
    queue.heads.start(delivery);
    queue.inFlight++;
    inFlight++;
    if (slowHost !== null) slowHosts.set(slowHost, (slowHosts.get(slowHost) ?? 0) + 1);
    moveToEnd(endpoints, queue.endpointId, queue);
  };

  const unblock = (): void => void (isBlocked = false);

  return {
    unblock,
    add: (queue: EndpointQueue): void => {
      endpoints.set(queue.endpointId, queue);
      unblock();
    },
    remove: (queue: EndpointQueue): void => void endpoints.delete(queue.endpointId),
    isEmpty: (): boolean => endpoints.size === 0,
    /** Chooses the next delivery, and marks it as in flight, if the tenant has fewer than `free` in flight. Endpoints take turns. */
    take: (free: number): Sending | undefined => {
      if (isBlocked || inFlight >= free) return undefined;
      for (const queue of endpoints.values()) {
        const chosen = chooseNext(queue);
        if (!chosen) continue;
        start(chosen);
        return chosen;
      }
      isBlocked = true;
      return undefined;
    },
    /** Frees the place of a request after its response. */
    free: ({ queue, slowHost }: Sending): void => {
      queue.inFlight--;
      inFlight--;
      unblock();
      if (slowHost === null) return;
      const remaining = (slowHosts.get(slowHost) ?? 0) - 1;
      if (remaining > 0) slowHosts.set(slowHost, remaining);
      else slowHosts.delete(slowHost);
    },
  };
}

type Heads = ReturnType<typeof createHeads>;

/** Serial queues of an endpoint: the head of each, at most one, and those of which a delivery is in flight. */
export function createHeads() {
  const heads = new Map<string, StoredDelivery>();
  /** Serial keys in flight, and whether another delivery of each was offered since. */
  const busyKeys = new Map<string, boolean>();
  /** True if deliveries were dropped because the queue was full. */
  let hasMore = false;
  const hasRoom = (): boolean => heads.size < MAX_QUEUED / 2;

  return {
    /** Returns false if the delivery changes nothing now: it is not the head, or its serial queue is busy. */
    offer: (delivery: StoredDelivery): boolean => {
      const key = serialKeyOf(delivery);
      if (busyKeys.has(key)) {
        busyKeys.set(key, true);
        return false;
      }
      const head = heads.get(key);
      if (head && head.doc.place < delivery.doc.place) return false;
      if (!head && heads.size >= MAX_QUEUED) hasMore = true;
      else heads.set(key, delivery);
      return true;
    },
    start: (delivery: StoredDelivery): void => {
      heads.delete(serialKeyOf(delivery));
      busyKeys.set(serialKeyOf(delivery), false);
    },
    /** Returns true when another one of the serial queue was offered since. */
    finish: (delivery: StoredDelivery): boolean => {
      const hasNext = busyKeys.get(serialKeyOf(delivery)) === true;
      busyKeys.delete(serialKeyOf(delivery));
      return hasNext;
    },
    first: (): StoredDelivery | undefined => heads.values().next().value,
    oldest: (): StoredDelivery | undefined => {
      let oldest: StoredDelivery | undefined;
      for (const one of heads.values()) if (!oldest || one.doc.place < oldest.doc.place) oldest = one;
      return oldest;
    },
    isEmpty: (): boolean => heads.size === 0,
    isDone: (): boolean => busyKeys.size === 0 && heads.size === 0 && !hasMore,
    hasRoom,
    /** Returns true, once, if deliveries were dropped and there is room for them again. */
    takeRefill: (): boolean => {
      const isRefillable = hasMore && hasRoom();
      if (isRefillable) hasMore = false;
      return isRefillable;
    },
  };
}

/** Returns the key of a delivery's serial queue. One that has left its queue has a key of its own: neither waits for the other. */
function serialKeyOf({ id, doc }: StoredDelivery): string {
  return doc.gate === 'lane' ? doc.lane : id;
}

function admits(admission: Admission, inFlight: number): boolean {
  return admission === 'all' || (admission === 'probe' && inFlight === 0);
}

export function moveToEnd<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}
