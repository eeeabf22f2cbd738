// Reads due deliveries from the records, a bounded number per round regardless of the backlog. It follows due times as they pass, rereading
// a short overlap for late writes, and once a minute scans the pending deliveries of each endpoint as far as its queue has room, so that a
// delivery missing from memory is found again.
import type { Deps } from '../../commands/handling/deps.js';
import { deliveryCollection, type StoredDelivery } from '../../commands/webhooks/deliveries.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { scanPages, replaceRecord, scanRecords } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';
import type { Queue } from './queue.js';
import type { EndpointName } from './tenant-queue.js';

const BATCH = 500;
const OVERLAP_MS = 5000;
const FULL_SCAN_INTERVAL_MS = 60_000;
const LEASE_MS = 60_000;
/** Maximum rows scanned per round; a page costs as much as some rows, even if it has few. */
const MAX_ROWS_PER_ROUND = 1000;
const PAGE_COST_ROWS = 10;
const MAX_ENDPOINTS_PER_ROUND = 100;
const GATES = ['lane', 'late'] as const;

type Options = {
  readonly deps: Deps;
  readonly queue: Queue;
  readonly isSingleProcess: boolean;
  readonly senderId: string;
};

type QueuePosition = { readonly isHead: boolean; readonly hasNext: boolean };

/** Scan of the pending deliveries of an endpoint at one gate, oldest first. It pauses while its in-memory queue is full. */
type EndpointScan = {
  readonly endpoint: EndpointName;
  readonly gate: string;
  readonly after?: string;
  isRepeated: boolean;
};

type ClaimDeps = { readonly docs: DocStore; readonly runtime: Pick<Runtime, 'now'> };

/** Makes deliveries that a former process has claimed due immediately. */
export async function releaseClaims(
  { docs, runtime }: ClaimDeps,
  isFormer: (claimedBy: string) => boolean,
): Promise<void> {
  const now = runtime.now();
  for await (const rows of dueBetween(docs, now, now + LEASE_MS + 1)) {
    for (const row of rows) {
      const { claimedBy } = row.doc;
      if (typeof claimedBy !== 'string' || !isFormer(claimedBy)) continue;
      await replaceRecord(docs, deliveryCollection.name, row, { ...row.doc, dueAt: isoFromMs(now), claimedBy: null });
    }
  }
}

async function* dueBetween(docs: DocStore, fromMs: number, toMs: number): AsyncGenerator<readonly StoredDelivery[]> {
  for (const gate of GATES) {
    const scan = { index: 'due', eq: [gate], from: isoFromMs(fromMs), to: isoFromMs(toMs), limit: BATCH };
    yield* scanPages(scan, (page) => scanRecords(docs, deliveryCollection.name, page));
  }
}

export function createDueReader({ deps, queue, isSingleProcess, senderId }: Options) {
  const { docs, runtime } = deps;
  const { name: c } = deliveryCollection;
  let readUpToMs = 0;
  let nextFullScanMs = 0;
  /** Start of the search for the next endpoint; undefined when all were found. */
  let nextEndpointFrom: string | undefined;
  const scans = new Map<string, EndpointScan>();
  let isFirst = isSingleProcess;

  /** Starts scans of an endpoint. `isRepeated`: one already in progress is followed by another, which includes the rows it has passed. */
  const startScan = (endpoint: EndpointName, isRepeated: boolean): void => {
    for (const gate of GATES) {
      const key = `${endpoint.endpointId}|${gate}`;
      const entry = scans.get(key);
      if (!entry) scans.set(key, { endpoint, gate, isRepeated: false });
      else entry.isRepeated ||= isRepeated;
    }
  };

  const findEndpoints = async (): Promise<void> => {
    for (let count = 0; nextEndpointFrom !== undefined && count < MAX_ENDPOINTS_PER_ROUND; count++) {
      const { rows } = await scanRecords(docs, c, { index: 'endpoint', eq: [], from: nextEndpointFrom, limit: 1 });
      const [first] = rows;
      if (first) startScan(first.doc, false);
      // After its name and before any other: no character in ids sorts before a space.
      nextEndpointFrom = first && `${first.doc.endpointId} `;
    }
  };

  /** Continues the scans in turns, so that many deliveries that cannot be sent yet do not block other endpoints. */
  const continueScans = async (to: string): Promise<void> => {
    let remaining = MAX_ROWS_PER_ROUND;
    for (const [key, entry] of [...scans]) {
      if (remaining <= 0) return;
      if (!queue.hasRoom(entry.endpoint)) continue;
      const scan = { index: 'endpoint', eq: [entry.endpoint.endpointId, entry.gate], limit: BATCH };
      const { rows, next } = await scanRecords(docs, c, {
        ...scan,
        ...(entry.after !== undefined && { after: entry.after }),
      });
      for (const row of rows) if (row.doc.dueAt < to) queue.offer(row);
      remaining -= rows.length + PAGE_COST_ROWS;
      scans.delete(key);
      if (next !== undefined) scans.set(key, { ...entry, after: next });
      else if (entry.isRepeated) scans.set(key, { endpoint: entry.endpoint, gate: entry.gate, isRepeated: false });
    }
  };

  return {
    readDue: async (): Promise<void> => {
      if (isFirst) await releaseClaims(deps, (claimedBy) => claimedBy !== senderId);
      isFirst = false;
      const now = runtime.now();
      // After the clock was set back, the next scan would wait until it shows the former time again.
      const isBehind = now < readUpToMs || now - readUpToMs > FULL_SCAN_INTERVAL_MS;
      if (isBehind || now >= nextFullScanMs) [nextEndpointFrom, nextFullScanMs] = ['', now + FULL_SCAN_INTERVAL_MS];
      for await (const rows of dueBetween(docs, isBehind ? now : readUpToMs - OVERLAP_MS, now + 1)) {
        for (const row of rows) queue.offer(row);
      }
      readUpToMs = now;
      await findEndpoints();
      for (const endpoint of queue.takeRefillable()) startScan(endpoint, true);
      await continueScans(isoFromMs(now + 1));
    },
    /**
     * Returns whether a delivery is the head of its serial queue, and whether another follows. One that is not the head is offered later.
     */
    readQueuePosition: async ({ id, doc: { gate, lane } }: StoredDelivery): Promise<QueuePosition> => {
      if (gate !== 'lane' || lane === id) return { isHead: true, hasNext: false };
      const { rows } = await docs.scan(c, { index: 'lane', eq: [lane, 'lane'], limit: 2 });
      return { isHead: rows[0] === undefined || rows[0].id === id, hasNext: rows.length > 1 };
    },
    /** Offers the current head of the delivery's serial queue, if it is due. */
    offerHead: async ({ id, doc: { gate, lane } }: StoredDelivery): Promise<void> => {
      if (gate !== 'lane' || lane === id) return;
      const { rows } = await scanRecords(docs, c, { index: 'lane', eq: [lane, 'lane'], limit: 1 });
      const [head] = rows;
      if (head && head.doc.dueAt <= isoFromMs(runtime.now())) queue.offer(head);
    },
  };
}
