// Finds what is due in the records. It follows the due times as they pass, looking back a little for what was written late, and begins
// anew once a minute, so that nothing that a memory forgot stays lying.
import type { Deps } from '../../commands/handling/deps.js';
import { deliveryCollection, deliveryOf, type StoredDelivery } from '../../commands/webhooks/deliveries.js';
import { allPages, replaceRecord } from '../../adapters/documents/records.js';
import { isoFromMs } from '../../domain/time.js';
import { MOST_QUEUED, type Queue } from './queue.js';

const BATCH = 500;
const LOOK_BACK_MS = 5000;
const ANEW_MS = 60_000;
const LEASE_MS = 60_000;

type Options = { readonly deps: Deps; readonly queue: Queue; readonly isSingleProcess: boolean; readonly me: string };

type Standing = { readonly isHead: boolean; readonly isFollowed: boolean };

export function createDueReader({ deps, queue, isSingleProcess, me }: Options) {
  const { docs, runtime } = deps;
  const { name: c } = deliveryCollection;
  let seenUpToMs = 0;
  let anewAtMs = 0;
  let isFirst = isSingleProcess;

  const offerAll = async (scan: {
    readonly index: string;
    readonly eq: string[];
    readonly from?: string;
    readonly to?: string;
  }) => {
    for await (const rows of allPages({ ...scan, limit: BATCH }, (page) => docs.scan(c, page))) {
      for (const row of rows) queue.offer(deliveryOf(row));
    }
  };

  /** What a process that is gone had claimed is due at once. */
  const takeOver = async (): Promise<void> => {
    const now = runtime.now();
    for (const gate of ['lane', 'late']) {
      const bounds = { from: isoFromMs(now), to: isoFromMs(now + LEASE_MS + 1) };
      for await (const rows of allPages({ index: 'due', eq: [gate], ...bounds, limit: BATCH }, (page) =>
        docs.scan(c, page),
      )) {
        for (const row of rows.filter(({ doc }) => doc['claimedBy'] !== null && doc['claimedBy'] !== me)) {
          await replaceRecord(docs, c, row, { ...row.doc, dueAt: isoFromMs(now), claimedBy: null });
        }
      }
    }
  };

  return {
    read: async (): Promise<void> => {
      if (isFirst) await takeOver();
      isFirst = false;
      const now = runtime.now();
      if (now >= anewAtMs) [seenUpToMs, anewAtMs] = [0, now + ANEW_MS];
      const from = isoFromMs(Math.max(0, seenUpToMs - LOOK_BACK_MS));
      const to = isoFromMs(now + 1);
      for (const gate of ['lane', 'late']) await offerAll({ index: 'due', eq: [gate], from, to });
      seenUpToMs = now;
      for (const endpointId of queue.roomy()) await refill(endpointId, to);
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

  async function refill(endpointId: string, to: string): Promise<void> {
    for (const gate of ['lane', 'late']) {
      const { rows } = await docs.scan(c, { index: 'endpoint', eq: [endpointId, gate], limit: MOST_QUEUED });
      for (const row of rows) if (String(row.doc['dueAt']) < to) queue.offer(deliveryOf(row));
    }
  }
}
