// Lists parked documents of the served read models, and folds them again after a repair.
import type { DocStore } from '../../adapters/documents/port.js';
import { readParked, retryParked, type RetryDeps } from './parked.js';
import { collectionOf, type Build, type Projection } from './projection.js';
import type { Serving } from '../rebuild/serving.js';

export type ParkedDocument = {
  readonly id: string;
  readonly projection: string;
  readonly document: string;
  readonly eventId: string;
  readonly stream: string;
  readonly error: string;
};

type Reads = { readonly docs: DocStore; readonly serving: Serving; readonly projections: readonly Projection[] };

export async function listParkedDocuments(o: Reads): Promise<readonly ParkedDocument[]> {
  return (await servedBuilds(o).then((builds) => Promise.all(builds.map((b) => parkedIn(o.docs, b))))).flat();
}

/** Retries all parked documents, or those of the read model that contains `eventOrDocument`. Returns the numbers of retried and still parked ones. */
export async function retryParkedDocuments(
  o: Reads & RetryDeps,
  eventOrDocument: string | null,
  signal: AbortSignal,
): Promise<{ readonly tried: number; readonly left: number }> {
  let [tried, remaining] = [0, 0];
  for (const build of await servedBuilds(o)) {
    const parked = await parkedIn(o.docs, build);
    if (parked.length === 0 || (eventOrDocument !== null && !parked.some(({ id }) => id === eventOrDocument))) continue;
    await retryParked(o, build, signal);
    tried += parked.length;
    remaining += (await readParked(o.docs, build)).size;
  }
  return { tried, left: remaining };
}

function servedBuilds({ serving, projections }: Reads): Promise<Build[]> {
  return Promise.all(projections.map((p) => serving.build(p)));
}

async function parkedIn(docs: DocStore, build: Build): Promise<readonly ParkedDocument[]> {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return [...(await readParked(docs, build))].map(([document, { doc }]) => {
    const { eventId, stream, error } = doc;
    const fields = { eventId: text(eventId), stream: text(stream), error: text(error) };
    return { id: `${collectionOf(build)}|${document}`, projection: build.projection.name, document, ...fields };
  });
}
