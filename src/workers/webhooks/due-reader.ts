// Finds what is due in the records, a bounded number of them in each round, however much waits. It follows the due times as they pass,
// looking back a little for what was written late, and once a minute walks through what waits for each endpoint, as far as there is room
// for it, so that nothing that a memory forgot stays lying.
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
/** In one round, by all walks; a page costs as much as some rows, however few it has. */
const ROWS_WALKED = 1000;
const ROWS_OF_A_PAGE = 10;
const ENDPOINTS_LOOKED_FOR = 100;
const GATES = ['lane', 'late'] as const;

type Options = { readonly deps: Deps; readonly queue: Queue; readonly isSingleProcess: boolean; readonly me: string };

type Standing = { readonly isHead: boolean; readonly isFollowed: boolean };

/** Through what waits for an endpoint at one gate, oldest first. It rests while much of that is in memory. */
type Walk = { readonly endpoint: EndpointName; readonly gate: string; readonly after?: string; isAnew: boolean };

export function createDueReader({ deps, queue, isSingleProcess, me }: Options) {
  const { docs, runtime } = deps;
  const { name: c } = deliveryCollection;
  let seenUpToMs = 0;
  let anewAtMs = 0;
  /** Where the next endpoint is looked for; undefined when all were found. */
  let lookingFrom: string | undefined;
  const walks = new Map<string, Walk>();
  let isFirst = isSingleProcess;

  async function* dueBetween(fromMs: number, toMs: number): AsyncGenerator<readonly Row[]> {
    for (const gate of GATES) {
      const scan = { index: 'due', eq: [gate], from: isoFromMs(fromMs), to: isoFromMs(toMs), limit: BATCH };
      yield* allPages(scan, (page) => docs.scan(c, page));
    }
  }

  /** What a process that is gone had claimed is due at once. */
  const takeOver = async (): Promise<void> => {
    const now = runtime.now();
    for await (const rows of dueBetween(now, now + LEASE_MS + 1)) {
      for (const row of rows.filter(({ doc }) => doc['claimedBy'] !== null && doc['claimedBy'] !== me)) {
        await replaceRecord(docs, c, row, { ...row.doc, dueAt: isoFromMs(now), claimedBy: null });
      }
    }
  };

  /** `isAnew`: what a walk under way has passed is looked at, too, by another after it. */
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
      // Behind its name and before that of any other: ids hold nothing less than a space.
      lookingFrom = first && `${first.doc.endpointId} `;
    }
  };

  /** Walks take turns, so that a crowd of deliveries that cannot be sent yet keeps no other endpoint waiting. */
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
    /** Whether it is the head of its serial queue, and whether another delivery waits behind it. What is not the head comes up later. */
    standingOf: async ({ id, doc: { gate, lane } }: StoredDelivery): Promise<Standing> => {
      if (gate !== 'lane' || lane === id) return { isHead: true, isFollowed: false };
      const { rows } = await docs.scan(c, { index: 'lane', eq: [lane, 'lane'], limit: 2 });
      return { isHead: rows[0] === undefined || rows[0].id === id, isFollowed: rows.length > 1 };
    },
    /** Offers the present head of the delivery's serial queue, if it is due. */
    offerHead: async ({ id, doc: { gate, lane } }: StoredDelivery): Promise<void> => {
      if (gate !== 'lane' || lane === id) return;
      const { rows } = await docs.scan(c, { index: 'lane', eq: [lane, 'lane'], limit: 1 });
      const [head] = rows;
      if (head && String(head.doc['dueAt']) <= isoFromMs(runtime.now())) queue.offer(deliveryOf(head));
    },
  };
}
