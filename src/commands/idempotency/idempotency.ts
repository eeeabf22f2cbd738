// Idempotency of repeated requests: one record per caller and key, stored for a day. It is written before the work, with the ID and the
// seed of the work. If the process ends before the response is stored, the next try runs under the same ID and draws the same IDs: commands
// that are in the log are not decided again, and the response equals the lost one.
import { z } from 'zod';
import { readRecord, replaceRecord } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition, StreamName } from '../../domain/envelope.js';
import { Rejection } from '../../domain/errors.js';
import { customerIdOf, familyOf } from '../../domain/streams.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import { createKeyedMutex } from '../handling/keyed-mutex.js';
import { openUnlessErased, sealErasably } from '../projects/app-secrets.js';
import { repeatableRuntime } from './repeatable-runtime.js';

export type StoredResponse = { readonly status: number; readonly body: object; readonly position: LogPosition | null };

export type IdempotentRequest = {
  /** The caller and its key. */
  readonly name: readonly string[];
  /** Keyed hash of the request: a different request under the same key is refused. */
  readonly fingerprint: string;
  /** The fingerprint as earlier versions stored it; their records are found for a day. */
  readonly formerFingerprint?: () => string;
  /** Subject whose data key seals the request; once erased, the request is neither answered nor executed again. */
  readonly subject: string;
  readonly requestId: string;
};

/** `customers`: customers in the response that no command of the request read. */
type ResponseToStore = StoredResponse & { readonly customers?: readonly string[] };

/** Dependencies that make the work repeatable, and record which customers it is about. */
export type RepeatableParts = { readonly runtime: Runtime; readonly log: EventLog };

/** First try of a request: its id and its start, UTC ms. */
export type FirstAttempt = { readonly requestId: string; readonly requestedAtMs: number };

/**
 * Runs a request once. `run` gets the ID, the runtime and the log that make it repeatable. Errors are not stored: the same request may be
 * sent again. The response is sealed with the data keys of all customers whose streams the work read or wrote, so that no repeat returns an
 * erased one. Throws {@link Rejection} (conflict) for another request under the same key, and for a request about a customer who was erased
 * since.
 */
export type Idempotency = {
  once(
    request: IdempotentRequest,
    run: (first: FirstAttempt, parts: RepeatableParts) => Promise<ResponseToStore>,
  ): Promise<StoredResponse & { readonly isRepeat: boolean }>;
};

const DAY_MS = 24 * 3600 * 1000;
/** Ages of the collections to drop. The day before yesterday is kept, because a request from before midnight may still read it. */
const EXPIRED_DAYS = [3, 4, 5, 6, 7, 8, 9];

const schema = z.object({
  fingerprint: z.string(),
  requestId: z.string(),
  startedAtMs: z.int(),
  /** Sealed, like the response, because the generated secrets can be computed from it. */
  seed: z.string(),
  /** Empty while the outcome is unknown. */
  answer: z.string(),
  /** Subjects whose data keys seal the response, innermost first; omitted if it is only the request's subject. */
  subjects: z.array(z.string()).exactOptional(),
});
type Record = z.output<typeof schema>;
type StoredRecord = { readonly c: string; readonly guard: string | null; readonly record: Record | null };

const storedResponseSchema = z.object({
  status: z.int(),
  body: z.custom<object>((value) => typeof value === 'object' && value !== null),
  position: z.string().nullable(),
});

/** Returns the collection of a UTC day, so that the records of a day can be dropped together. */
const collectionOf = (ms: number) => `idempotency_${utcDay(isoFromMs(ms))}`;

export function createIdempotency(deps: Pick<Deps, 'docs' | 'log' | 'runtime' | 'dataKeys' | 'hash'>): Idempotency {
  const { docs, runtime } = deps;
  const mutex = createKeyedMutex();
  let prepared: { readonly today: string; readonly done: Promise<void> } | null = null;

  const prepareDay = async (nowMs: number): Promise<void> => {
    await docs.ensure([nowMs, nowMs - DAY_MS].map((ms) => ({ name: collectionOf(ms), indexes: [] })));
    for (const days of EXPIRED_DAYS) await docs.drop(collectionOf(nowMs - days * DAY_MS));
  };

  /** Creates the collections of today and yesterday and drops old ones, once for all requests at the beginning of a day. */
  const prepare = async (nowMs: number): Promise<readonly [string, string]> => {
    const both = [collectionOf(nowMs), collectionOf(nowMs - DAY_MS)] as const;
    if (prepared?.today !== both[0]) {
      const done: Promise<void> = prepareDay(nowMs).catch((err: unknown) => {
        if (prepared?.done === done) prepared = null;
        throw err;
      });
      prepared = { today: both[0], done };
    }
    await prepared.done;
    return both;
  };

  const find = async (id: string, nowMs: number): Promise<StoredRecord> => {
    const [today, yesterday] = await prepare(nowMs);
    for (const c of [yesterday, today]) {
      const { guard, doc } = await readRecord(docs, c, id);
      const record = doc && schema.parse(doc);
      if (record && record.startedAtMs > nowMs - DAY_MS) return { c, guard, record };
      if (c === today) return { c, guard, record: null };
    }
    throw new Error('unreachable: the collection of today is always searched');
  };

  const write = async (id: string, { c, guard }: StoredRecord, doc: Record): Promise<StoredRecord | null> => {
    const outcome = await replaceRecord(docs, c, { id, guard }, doc);
    return outcome === null ? null : { c, guard: outcome, record: doc };
  };

  /** Finds or creates the record of this request: the first writer defines the ID and the seed of the work. */
  const beginRequest = async (
    id: string,
    request: IdempotentRequest,
  ): Promise<{ stored: StoredRecord; record: Record; seed: Buffer }> => {
    for (;;) {
      const nowMs = runtime.now();
      const stored = await find(id, nowMs);
      if (stored.record) {
        if (!isSameRequest(request, stored.record)) throw keyReusedError();
        const seed = await openUnlessErased(deps, request.subject, `${id}|seed`, stored.record.seed);
        if (seed === null) throw customerErasedError();
        return { stored, record: stored.record, seed: Buffer.from(seed, 'base64') };
      }
      const seed = runtime.randomBytes(32);
      const sealed = await sealErasably(deps, request.subject, `${id}|seed`, seed.toString('base64'));
      const { fingerprint, requestId } = request;
      const record = { fingerprint, requestId, startedAtMs: nowMs, seed: sealed, answer: '' };
      const outcome = await write(id, stored, record);
      if (outcome) return { stored: outcome, record, seed };
    }
  };

  return {
    once: (request, run) => {
      const id = deps.hash('idempotency', ...request.name);
      return mutex.run(id, async () => {
        const { stored, record, seed } = await beginRequest(id, request);
        if (record.answer !== '') {
          const { answer, subjects = [request.subject] } = record;
          const response = await openForAll(deps, `${id}|answer`, answer, subjects);
          if (response === null) throw customerErasedError();
          return { ...(storedResponseSchema.parse(JSON.parse(response)) as StoredResponse), isRepeat: true };
        }
        const { requestId, startedAtMs: requestedAtMs } = record;
        const touched = new Set([request.subject]);
        const parts = {
          runtime: repeatableRuntime(runtime, seed, requestedAtMs),
          log: recordCustomers(deps.log, touched),
        };
        const { customers = [], ...ownResponse } = await run({ requestId, requestedAtMs }, parts);
        const subjects = [...new Set([...touched, ...customers])];
        const answer = await sealForAll(deps, `${id}|answer`, JSON.stringify(ownResponse), subjects);
        // A lost write means that another process has run the same request concurrently, with the same result.
        await write(id, stored, { ...record, answer, ...(subjects.length > 1 && { subjects }) });
        return { ...ownResponse, isRepeat: false };
      });
    },
  };
}

type SealDeps = Parameters<typeof sealErasably>[0];

/** Seals with all keys in turn, so that erasing any of them makes the text unreadable. */
async function sealForAll(deps: SealDeps, purpose: string, text: string, subjects: readonly string[]): Promise<string> {
  let sealed = text;
  for (const subject of subjects) sealed = await sealErasably(deps, subject, purpose, sealed);
  return sealed;
}

/** Returns null if one of the customers was erased. */
async function openForAll(
  deps: SealDeps,
  purpose: string,
  sealed: string,
  subjects: readonly string[],
): Promise<string | null> {
  let text: string | null = sealed;
  for (const subject of subjects.toReversed())
    text = text === null ? null : await openUnlessErased(deps, subject, purpose, text);
  return text;
}

/** Returns the log, which adds each customer whose stream is read or appended to. */
function recordCustomers(log: EventLog, customers: Set<string>): EventLog {
  const addCustomer = (stream: StreamName) => {
    if (familyOf(stream) === 'subscriber') customers.add(customerIdOf(stream));
  };
  return {
    local: log.local,
    identity: () => log.identity(),
    head: () => log.head(),
    follow: (options) => log.follow(options),
    erase: (stream) => log.erase(stream),
    read: (stream, after) => {
      addCustomer(stream);
      return log.read(stream, after);
    },
    append: (stream, expected, events) => {
      addCustomer(stream);
      return log.append(stream, expected, events);
    },
  };
}

function isSameRequest({ fingerprint, formerFingerprint }: IdempotentRequest, stored: Record): boolean {
  return stored.fingerprint === fingerprint || stored.fingerprint === formerFingerprint?.();
}

/** The request is not done again: it would create the customer again. */
function customerErasedError(): Rejection {
  const message = 'A customer of this request was erased since it was first sent. Use a new Idempotency-Key.';
  return new Rejection('conflict', 'idempotency-customer-erased', message);
}

function keyReusedError(): Rejection {
  const message = 'this Idempotency-Key was used for another request; use a new key';
  return new Rejection('conflict', 'idempotency-key-reused', message);
}
