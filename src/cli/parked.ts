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
import { fail, Failure } from './support/failure.js';
import { onService } from './support/on-service.js';
import { openForReading } from './support/open-for-reading.js';

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
  try {
    const found = await withDocs((docs, runtime) => readParkedWork(docs, runtime));
    print(o, found, describe(found));
  } catch (err) {
    fail(err);
  }
}

export async function retryParked(named: string | undefined, o: Options): Promise<void> {
  try {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    let isSingleProcess = false;
    const asked = await onService<RequestedRetries>(
      config,
      runtime,
      { kind: 'retry', named: named ?? null },
      async ({ log, docs, dataKeys, isShared }) => {
        isSingleProcess = !isShared;
        await docs.ensure([parkedEventCollection, ...ephemeralCollections]);
        const serving = createServing(docs, runtime);
        const { signal } = new AbortController();
        const hash = keyedHash(await ensureNamingKey({ log, dataKeys }));
        const retried = await requestRetries({ log, docs, hash, runtime, serving, projections }, named ?? null, signal);
        if (isShared) await requestRetry(docs);
        return retried;
      },
    );
    const { events, documents } = asked;
    if (named !== undefined && events.length === 0 && documents.tried === 0) {
      throw new Failure(`no parked event or document has the ID ${named}; list them with subledger parked`);
    }
    const left = isSingleProcess ? events : await withDocs((docs) => waitForRetries(docs, runtime, events));
    const result = { events: { tried: events.length, left: left.length }, documents };
    const when =
      isSingleProcess && events.length > 0
        ? ['The service is not running: the events are retried when it starts.']
        : [];
    print(o, result, [
      `${events.length} events retried, ${left.length} still parked; ${documents.tried} documents retried, ${documents.left} still parked.`,
      ...when,
    ]);
    if (!isSingleProcess && left.length + documents.left > 0) process.exitCode = 1;
  } catch (err) {
    fail(err);
  }
}

async function withDocs<T>(work: (docs: DocStore, runtime: Runtime) => Promise<T>): Promise<T> {
  const { docs, close } = await openForReading(process.env);
  try {
    await docs.ensure([parkedEventCollection, ...ephemeralCollections]);
    return await work(docs, systemRuntime());
  } finally {
    await close();
  }
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
    const left = (await listParkedEvents(docs)).filter(({ id }) => requested.includes(id));
    if (left.every(({ askedAt }) => askedAt === '')) return left.map(({ id }) => id);
    if (runtime.now() >= end)
      throw new Failure('no worker has retried the events yet; they are retried when a worker runs');
    await runtime.sleep(POLL_MS);
  }
}

function print(o: Options, result: object, lines: readonly string[]): void {
  process.stdout.write(`${o.json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`);
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
