// Which SDK and app versions call the compatibility API, and what became of their receipts: whether a switch works is seen here. One record
// per project, written at most once a minute by each process, so that requests cost no write.
import { z } from 'zod';
import { createBoundedCache, createExpiringCache } from '../../adapters/bounded-cache.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, removeRecord, replaceRecord } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';

export const sdkCallCollection = { name: 'sdk_calls', indexes: [] };

/** Version that called; null if the SDK did not send it. `platform`: `iOS`, `android`, `web` and the like. `flavor`: `native`, `flutter` and the like. */
const versionFields = {
  platform: z.string().nullable(),
  flavor: z.string().nullable(),
  sdkVersion: z.string().nullable(),
  appVersion: z.string().nullable(),
};
const sdkVersion = z.object(versionFields);
type SdkVersion = Readonly<z.output<typeof sdkVersion>>;

export type SdkCall = SdkVersion & {
  readonly projectId: string;
  readonly isReceipt: boolean;
  readonly status: number;
  /** Message of the refusal; null for a success. */
  readonly reason: string | null;
};

/** `versions`: the latest caller first. Times are ISO 8601 UTC. */
const sdkUse = z.object({
  versions: z.array(z.object({ ...versionFields, lastCallAt: z.string() })).readonly(),
  firstReceiptAt: z.string().nullable(),
  lastRefusedReceipt: z.object({ at: z.string(), status: z.int(), reason: z.string() }).nullable(),
});
type SdkUse = Readonly<z.output<typeof sdkUse>>;

export type SdkCalls = {
  /** Returns at once. A crash loses what was recorded since the last write. */
  record(call: SdkCall): void;
  /** Returns the calls of all processes, those of other processes as of their last write. */
  of(projectId: string): Promise<SdkUse>;
  /** Resolves when everything recorded is written, or could not be. */
  flush(): Promise<void>;
};

const WRITE_INTERVAL_MS = 60_000;
const MAX_PROJECTS = 1000;
/** The newest are stored. */
const MAX_VERSIONS = 50;
const MAX_REASON = 500;
const NO_USE: SdkUse = { versions: [], firstReceiptAt: null, lastRefusedReceipt: null };

export function createSdkCalls(docs: DocStore, runtime: Pick<Runtime, 'now' | 'elapsed'>): SdkCalls {
  const lastUses = createBoundedCache<string, RecentUse>(MAX_PROJECTS);
  const recentlyWritten = createExpiringCache<string, true>(MAX_PROJECTS, runtime);
  const unwritten = new Set<string>();
  const writing = new Set<Promise<void>>();

  const write = async (projectId: string): Promise<void> => {
    unwritten.delete(projectId);
    recentlyWritten.set(projectId, true, WRITE_INTERVAL_MS);
    try {
      const before = await readRecord(docs, sdkCallCollection.name, projectId);
      const use = mergeUses(useIn(before.doc), useOf(lastUses.get(projectId)));
      // Tries once: after a conflict, the next call after the interval writes again.
      if ((await replaceRecord(docs, sdkCallCollection.name, before, { ...use })) === null) unwritten.add(projectId);
    } catch {
      // Statistics must not fail a request; the store reports its own unavailability elsewhere.
      unwritten.add(projectId);
    }
  };
  const beginWrite = (projectId: string): void => {
    const pendingWrite = write(projectId);
    writing.add(pendingWrite);
    void pendingWrite.then(() => writing.delete(pendingWrite));
  };

  return {
    record: ({ projectId, ...call }) => {
      const use = lastUses.get(projectId) ?? { versions: new Map(), firstReceiptAt: null, lastRefusedReceipt: null };
      addCall(use, call, isoFromMs(runtime.now()));
      lastUses.set(projectId, use);
      unwritten.add(projectId);
      if (!recentlyWritten.get(projectId)) beginWrite(projectId);
    },
    of: async (projectId) => {
      const { doc } = await readRecord(docs, sdkCallCollection.name, projectId);
      return mergeUses(useIn(doc), useOf(lastUses.get(projectId)));
    },
    flush: async () => {
      await Promise.all(writing);
      await Promise.all([...unwritten].map(write));
    },
  };
}

/** Removes what is stored about a deleted project. */
export async function deleteSdkCalls({ docs }: { readonly docs: DocStore }, projectId: string): Promise<void> {
  await removeRecord(docs, sdkCallCollection.name, projectId);
}
/** Calls of this process. `versions` by name, the earliest caller first. */
type RecentUse = Pick<SdkUse, 'firstReceiptAt' | 'lastRefusedReceipt'> & {
  readonly versions: Map<string, SdkUse['versions'][number]>;
};

function addCall(use: Mutable<RecentUse>, { isReceipt, status, reason, ...version }: NotedCall, at: string): void {
  const name = nameOf(version);
  use.versions.delete(name);
  use.versions.set(name, { ...version, lastCallAt: at });
  const [earliest] = use.versions.keys();
  if (use.versions.size > MAX_VERSIONS && earliest !== undefined) use.versions.delete(earliest);
  if (!isReceipt) return;
  if (status >= 400) use.lastRefusedReceipt = { at, status, reason: (reason ?? '').slice(0, MAX_REASON) };
  else use.firstReceiptAt ??= at;
}

type NotedCall = Omit<SdkCall, 'projectId'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function useOf(use: RecentUse | undefined): SdkUse {
  return use ? { ...use, versions: [...use.versions.values()].toReversed() } : NO_USE;
}

/** A record in the format of another version counts as empty. */
function useIn(doc: unknown): SdkUse {
  return sdkUse.safeParse(doc).data ?? NO_USE;
}

/** The order of the two does not matter, and neither does a repeat. */
function mergeUses(a: SdkUse, b: SdkUse): SdkUse {
  const latestFirst = [...a.versions, ...b.versions].toSorted((one, other) =>
    one.lastCallAt < other.lastCallAt ? 1 : -1,
  );
  const byName = new Map(latestFirst.toReversed().map((one) => [nameOf(one), one]));
  const [first, second] = [a.firstReceiptAt, b.firstReceiptAt];
  const [one, other] = [a.lastRefusedReceipt, b.lastRefusedReceipt];
  return {
    versions: latestFirst.filter((version) => byName.get(nameOf(version)) === version).slice(0, MAX_VERSIONS),
    firstReceiptAt: first !== null && (second === null || first < second) ? first : second,
    lastRefusedReceipt: one !== null && (other === null || one.at > other.at) ? one : other,
  };
}

function nameOf({ platform, flavor, sdkVersion: sdk, appVersion }: SdkVersion): string {
  return JSON.stringify([platform, flavor, sdk, appVersion]);
}
