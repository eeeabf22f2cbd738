// Reads due deliveries from the records, a bounded number per round regardless of the backlog. It follows due times as they pass, rereading
// a short overlap for late writes, and once a minute scans the pending deliveries of each endpoint as far as its queue has room, so that a
// delivery missing from memory is found again.
import type { Deps } from '../../commands/handling/deps.js';
import { deliveryCollection, deliveryOf, type StoredDelivery } from '../../commands/webhooks/deliveries.js';
import type { Row } from '../../adapters/documents/port.js';
import { allPages, replaceRecord } from '../../adapters/documents/records.js';
import { isoFromMs } from '../../domain/time.js';
import type { EndpointName, Queue } from './queue.js';

const BATCH = 500;
const LOOK_BACK_MS = 5000;
const ANEW_MS = 60_000;
const LEASE_MS = 60_000;
/** Maximum rows scanned per round; a page costs as much as some rows, even if it has few. */
const ROWS_WALKED = 1000;
const ROWS_OF_A_PAGE = 10;
const ENDPOINTS_LOOKED_FOR = 100;
const GATES = ['lane', 'late'] as const;

type Options = { readonly deps: Deps; readonly queue: Queue; readonly isSingleProcess: boolean; readonly me: string };

type Standing = { readonly isHead: boolean; readonly isFollowed: boolean };

/** Scan of the pending deliveries of an endpoint at one gate, oldest first. It pauses while its in-memory queue is full. */
type Walk = { readonly endpoint: EndpointName; readonly gate: string; readonly after?: string; isAnew: boolean };

export function createDueReader({ deps, queue, isSingleProcess, me }: Options) {
  const { docs, runtime } = deps;
  const { name: c } = deliveryCollection;
  let seenUpToMs = 0;
  let anewAtMs = 0;
  /** Start of the search for the next endpoint; undefined when all were found. */
  let lookingFrom: string | undefined;
  const walks = new Map<string, Walk>();
  let isFirst = isSingleProcess;

  async function* dueBetween(fromMs: number, toMs: number): AsyncGenerator<readonly Row[]> {
    for (const gate of GATES) {
      const scan = { index: 'due', eq: [gate], from: isoFromMs(fromMs), to: isoFromMs(toMs), limit: BATCH };
      yield* allPages(scan, (page) => docs.scan(c, page));
    }
  }

  /** Makes deliveries claimed by a former process due immediately. */
  const takeOver = async (): Promise<void> => {
    const now = runtime.now();
    for await (const rows of dueBetween(now, now + LEASE_MS + 1)) {
      for (const row of rows.filter(({ doc }) => doc['claimedBy'] !== null && doc['claimedBy'] !== me)) {
        await replaceRecord(docs, c, row, { ...row.doc, dueAt: isoFromMs(now), claimedBy: null });
      }
    }
  };

  /** Starts scans of an endpoint. `isAnew`: one already in progress is followed by another, which includes the rows it has passed. */
  const walkThrough = (endpoint: EndpointName, isAnew: boolean): void => {
    for (const gate of GATES) {
      const key = `${endpoint.endpointId}|${gate}`;
      const walk = walks.get(key);
      if (!walk) walks.set(key, { endpoint, gate, isAnew: false });
      else walk.isAnew ||= isAnew;
    }
  };

  const lookForEndpoints = async (): Promise<void> => {
    for (let found = 0; lookingFrom !== undefined && found < ENDPOINTS_LOOKED_FOR; found++) {
      const { rows } = await docs.scan(c, { index: 'endpoint', eq: [], from: lookingFrom, limit: 1 });
      const [first] = rows.map(deliveryOf);
      if (first) walkThrough(first.doc, false);
      // After its name and before any other: no character in ids sorts before a space.
      lookingFrom = first && `${first.doc.endpointId} `;
    }
  };

  /** Continues the scans in turns, so that many deliveries that cannot be sent yet do not block other endpoints. */
  const walkOn = async (to: string): Promise<void> => {
    let left = ROWS_WALKED;
    for (const [key, walk] of [...walks]) {
      if (left <= 0) return;
      if (!queue.hasRoom(walk.endpoint)) continue;
      const scan = { index: 'endpoint', eq: [walk.endpoint.endpointId, walk.gate], limit: BATCH };
      const { rows, next } = await docs.scan(c, { ...scan, ...(walk.after !== undefined && { after: walk.after }) });
      for (const row of rows) if (String(row.doc['dueAt']) < to) queue.offer(deliveryOf(row));
      left -= rows.length + ROWS_OF_A_PAGE;
      walks.delete(key);
      if (next !== undefined) walks.set(key, { ...walk, after: next });
      else if (walk.isAnew) walks.set(key, { endpoint: walk.endpoint, gate: walk.gate, isAnew: false });
    }
  };

  return {
    read: async (): Promise<void> => {
      if (isFirst) await takeOver();
      isFirst = false;
      const now = runtime.now();
      const isFar = now - seenUpToMs > ANEW_MS;
      if (isFar || now >= anewAtMs) [lookingFrom, anewAtMs] = ['', now + ANEW_MS];
      for await (const rows of dueBetween(isFar ? now : seenUpToMs - LOOK_BACK_MS, now + 1)) {
        for (const row of rows) queue.offer(deliveryOf(row));
      }
      seenUpToMs = now;
      await lookForEndpoints();
      for (const endpoint of queue.roomy()) walkThrough(endpoint, true);
      await walkOn(isoFromMs(now + 1));
    },
    /**
     * Returns whether a delivery is the head of its serial queue, and whether another follows. One that is not the head is offered later.
     */
    standingOf: async ({ id, doc: { gate, lane } }: StoredDelivery): Promise<Standing> => {
      if (gate !== 'lane' || lane === id) return { isHead: true, isFollowed: false };
      const { rows } = await docs.scan(c, { index: 'lane', eq: [lane, 'lane'], limit: 2 });
      return { isHead: rows[0] === undefined || rows[0].id === id, isFollowed: rows.length > 1 };
    },
    /** Offers the current head of the delivery's serial queue, if it is due. */
    offerHead: async ({ id, doc: { gate, lane } }: StoredDelivery): Promise<void> => {
      if (gate !== 'lane' || lane === id) return;
      const { rows } = await docs.scan(c, { index: 'lane', eq: [lane, 'lane'], limit: 1 });
      const [head] = rows;
      if (head && String(head.doc['dueAt']) <= isoFromMs(runtime.now())) queue.offer(deliveryOf(head));
    },
  };
}
