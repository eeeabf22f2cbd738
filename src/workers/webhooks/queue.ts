// What is due, in memory: the heads of the serial queues by endpoint and project, and the choice of the next delivery. The records are the
// truth; this may forget anything but what is in flight.
import type { StoredDelivery } from '../../commands/webhooks/deliveries.js';

/** In flight at most. One endpoint that hangs keeps two places, one project six: the others go on. */
export const limits = { perEndpoint: 2, perProject: 6, inAll: 20 };

/** Heads kept in memory for one endpoint; what is beyond stays in the records until half of that is sent. */
const MOST_QUEUED = 2000;

export type EndpointName = { readonly projectId: string; readonly endpointId: string };

/** Whether an endpoint takes anything now: all there is, one probe, or nothing. */
export type Openness = 'open' | 'probe' | 'closed';

type EndpointQueue = {
  readonly endpointId: string;
  inFlight: number;
  /** By serial key: each serial queue has one head at most. */
  readonly heads: Map<string, StoredDelivery>;
  /** By serial key: whether another delivery of it was offered meanwhile. */
  readonly busyKeys: Map<string, boolean>;
  /** Something did not fit. */
  hasMore: boolean;
};

type ProjectQueue = { inFlight: number; readonly endpoints: Map<string, EndpointQueue> };

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(opennessOf: (endpointId: string) => Openness) {
  const projects = new Map<string, ProjectQueue>();
  let inFlight = 0;
  /** Answered and not written down yet. */
  const freed = new Set<string>();

  const queueOf = (projectId: string, endpointId: string): EndpointQueue => {
    const project = projects.get(projectId) ?? { inFlight: 0, endpoints: new Map<string, EndpointQueue>() };
    projects.set(projectId, project);
    const made = { endpointId, inFlight: 0, heads: new Map(), busyKeys: new Map<string, boolean>(), hasMore: false };
    const queue = project.endpoints.get(endpointId) ?? made;
    project.endpoints.set(endpointId, queue);
    return queue;
  };

  const offer = (delivery: StoredDelivery): void => {
    const { projectId, endpointId, place } = delivery.doc;
    const key = serialKeyOf(delivery);
    const queue = queueOf(projectId, endpointId);
    if (queue.busyKeys.has(key)) return void queue.busyKeys.set(key, true);
    const head = queue.heads.get(key);
    if (head && head.doc.place < place) return;
    if (!head && queue.heads.size >= MOST_QUEUED) queue.hasMore = true;
    else queue.heads.set(key, delivery);
  };

  /** The next to send, marked as in flight; undefined when nothing may go now. Projects take turns, and endpoints within them. */
  const take = (): StoredDelivery | undefined => {
    if (inFlight >= limits.inAll) return undefined;
    for (const [projectId, project] of projects) {
      if (project.inFlight >= limits.perProject) continue;
      for (const [endpointId, queue] of project.endpoints) {
        const next = choose(queue, opennessOf);
        if (!next) continue;
        const key = serialKeyOf(next);
        queue.heads.delete(key);
        queue.busyKeys.set(key, false);
        [queue.inFlight, project.inFlight, inFlight] = [queue.inFlight + 1, project.inFlight + 1, inFlight + 1];
        toTheEnd(project.endpoints, endpointId, queue);
        toTheEnd(projects, projectId, project);
        return next;
      }
    }
    return undefined;
  };

  /** The response is there: its place is free. Its serial queue stays busy until the outcome is written down. */
  const free = ({ id, doc }: StoredDelivery): void => {
    const project = projects.get(doc.projectId);
    const queue = project?.endpoints.get(doc.endpointId);
    if (!project || !queue || freed.has(id)) return;
    freed.add(id);
    [queue.inFlight, project.inFlight, inFlight] = [queue.inFlight - 1, project.inFlight - 1, inFlight - 1];
  };

  /** True when another delivery of its serial queue was offered meanwhile. */
  const done = (delivery: StoredDelivery): boolean => {
    free(delivery);
    freed.delete(delivery.id);
    const { projectId, endpointId } = delivery.doc;
    const project = projects.get(projectId);
    const queue = project?.endpoints.get(endpointId);
    if (!project || !queue) return false;
    const wasOffered = queue.busyKeys.get(serialKeyOf(delivery)) === true;
    queue.busyKeys.delete(serialKeyOf(delivery));
    if (queue.busyKeys.size > 0 || queue.heads.size > 0 || queue.hasMore) return wasOffered;
    project.endpoints.delete(endpointId);
    if (project.endpoints.size === 0) projects.delete(projectId);
    return wasOffered;
  };

  const hasRoom = ({ projectId, endpointId }: EndpointName): boolean =>
    (projects.get(projectId)?.endpoints.get(endpointId)?.heads.size ?? 0) < MOST_QUEUED / 2;

  /** Endpoints that have room again for what did not fit; told of once. */
  const roomy = (): readonly EndpointName[] => {
    const found: EndpointName[] = [];
    for (const [projectId, { endpoints }] of projects) {
      for (const queue of endpoints.values()) {
        const name = { projectId, endpointId: queue.endpointId };
        if (!queue.hasMore || !hasRoom(name)) continue;
        queue.hasMore = false;
        found.push(name);
      }
    }
    return found;
  };

  return { offer, take, free, done, hasRoom, roomy, inFlight: () => inFlight };
}

/** The serial queue of a delivery. One that has left its queue has a key of its own: it waits for none, and none for it. */
export function serialKeyOf({ id, doc }: StoredDelivery): string {
  return doc.gate === 'lane' ? doc.lane : id;
}

function choose(queue: EndpointQueue, opennessOf: (endpointId: string) => Openness): StoredDelivery | undefined {
  if (queue.heads.size === 0 || queue.inFlight >= limits.perEndpoint) return undefined;
  const openness = opennessOf(queue.endpointId);
  if (openness === 'closed' || (openness === 'probe' && queue.inFlight > 0)) return undefined;
  const [first] = queue.heads.values();
  if (openness === 'open' || !first) return first;
  return [...queue.heads.values()].reduce((oldest, one) => (one.doc.place < oldest.doc.place ? one : oldest), first);
}

function toTheEnd<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}
