// `subledger parked`: lists events and documents whose processing failed; `parked retry` retries them after a repair.
import { readConfig } from '../adapters/configuration/config.js';
import type { DocStore } from '../adapters/documents/port.js';
import { ensureNamingKey } from '../adapters/engine/hash-key.js';
import { systemRuntime, type Runtime } from '../adapters/runtime.js';
import { keyedHash } from '../domain/ids.js';
import { listParkedDocuments, type ParkedDocument } from '../projections/runtime/parked-documents.js';
import { projections } from '../projections/rebuild/registry.js';
import { createServing } from '../projections/rebuild/serving.js';
import { requestRetry, readPublished } from '../projections/runtime/shared-progress.js';
import { ephemeralCollections } from '../workers/coordination/collections.js';
import { listParkedEvents, type ParkedEvent } from '../workers/reactions/parked.js';
import { parkedEventCollection } from '../commands/handling/parked-events.js';
import { requestRetries, type RequestedRetries } from '../workers/coordination/operator-requests.js';
import { Failure, printResult } from './support/outcome.js';
import { onService } from './support/on-service.js';
import { withReading } from './support/open-for-reading.js';

type Options = { readonly json?: true };
type ParkedItems = {
  readonly events: readonly ParkedEvent[];
  readonly documents: readonly ParkedDocument[];
  /** Halted read models, as last published by the projector. */
  readonly halted: readonly string[];
};

/** Poll interval; the service checks every second for requested retries. */
const POLL_MS = 250;
const MAX_WAIT_MS = 30_000;

export async function listParked(o: Options): Promise<void> {
  const found = await withDocs((docs) => readParkedWork(docs, systemRuntime()));
  printResult(o, found, describe(found));
}

export async function retryParked(eventOrDocument: string | undefined, o: Options): Promise<void> {
  const runtime = systemRuntime();
  const request = { kind: 'retry' as const, named: eventOrDocument ?? null };
  let isSingleProcess = false;
  const { events, documents } = await onService<RequestedRetries>(
    readConfig(process.env),
    runtime,
    request,
    async ({ log, docs, dataKeys, isShared }) => {
      isSingleProcess = !isShared;
      await docs.ensure([parkedEventCollection, ...ephemeralCollections]);
      const serving = createServing(docs, runtime);
      const { signal } = new AbortController();
      const hash = keyedHash(await ensureNamingKey({ log, dataKeys }));
      const retried = await requestRetries({ log, docs, hash, runtime, serving, projections }, request.named, signal);
      if (isShared) await requestRetry(docs);
      return retried;
    },
  );
  if (eventOrDocument !== undefined && events.length === 0 && documents.tried === 0) {
    throw new Failure(`no parked event or document has the ID ${eventOrDocument}; list them with subledger parked`);
  }
  const remaining = isSingleProcess ? events : await withDocs((docs) => waitForRetries(docs, runtime, events));
  const timing =
    isSingleProcess && events.length > 0 ? ['The service is not running: the events are retried when it starts.'] : [];
  printResult(o, { events: { tried: events.length, left: remaining.length }, documents }, [
    `${events.length} events retried, ${remaining.length} still parked; ${documents.tried} documents retried, ${documents.left} still parked.`,
    ...timing,
  ]);
  if (!isSingleProcess && remaining.length + documents.left > 0) process.exitCode = 1;
}

function withDocs<T>(work: (docs: DocStore) => Promise<T>): Promise<T> {
  return withReading(async ({ docs }) => {
    await docs.ensure([parkedEventCollection, ...ephemeralCollections]);
    return work(docs);
  });
}

async function readParkedWork(docs: DocStore, runtime: Runtime): Promise<ParkedItems> {
  const serving = createServing(docs, runtime);
  const [events, documents, published] = await Promise.all([
    listParkedEvents(docs),
    listParkedDocuments({ docs, serving, projections }),
    readPublished(docs),
  ]);
  return { events, documents, halted: published?.halted ?? [] };
}

/** Returns the IDs of events still parked after all were retried, or after no service retried them. */
async function waitForRetries(
  docs: DocStore,
  runtime: Runtime,
  requested: readonly string[],
): Promise<readonly string[]> {
  const end = runtime.now() + MAX_WAIT_MS;
  for (;;) {
    const remaining = (await listParkedEvents(docs)).filter(({ id }) => requested.includes(id));
    if (remaining.every(({ retryRequestedAt }) => retryRequestedAt === '')) return remaining.map(({ id }) => id);
    if (runtime.now() >= end)
      throw new Failure('no worker has retried the events yet; they are retried when a worker runs');
    await runtime.sleep(POLL_MS);
  }
}

function describe({ events, documents, halted }: ParkedItems): readonly string[] {
  const firstLine = (error: string) => error.split('\n')[0] ?? '';
  const lines = [
    ...events.map((e) => `event ${e.id}: ${firstLine(e.error)}`),
    ...documents.map((d) => `document ${d.id}: ${firstLine(d.error)}`),
    ...halted.map((name) => `read model ${name} has halted; see the log of the service for the event`),
  ];
  return lines.length > 0 ? lines : ['Nothing is parked.'];
}
