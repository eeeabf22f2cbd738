// Lookup of the document that a path names, and of one that was just written.
import type { Doc } from '../../adapters/documents/port.js';
import { RetryLater } from '../../domain/errors.js';
import type { Projection } from '../../projections/runtime/projection.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { HttpError } from './errors.js';

type ProjectDoc = Doc & { readonly projectId: string };

/** Returns a document of the project. Throws {@link HttpError} 404, also for one of another project. */
export async function requireDoc<D extends ProjectDoc>(
  readModels: ReadModels,
  projection: Projection<D>,
  projectId: string,
  id: string,
  name: string,
): Promise<D> {
  const doc = await readModels.get(projection, id);
  if (doc?.projectId !== projectId) throw new HttpError(404, `${name} not found in this project`);
  return doc;
}

/** Finds a document of the project by its ID or its `lookupKey`. */
export async function findByKey<D extends ProjectDoc>(
  readModels: ReadModels,
  projection: Projection<D>,
  projectId: string,
  key: string,
): Promise<D | undefined> {
  const byId = await readModels.get(projection, key);
  if (byId?.projectId === projectId) return byId;
  const { rows } = await readModels.scan(projection, { index: 'lookupKey', eq: [projectId, key], limit: 1 });
  return rows[0]?.doc;
}

/** Like {@link findByKey}. Throws {@link HttpError} 404 if there is none. */
export async function requireByKey<D extends ProjectDoc>(
  readModels: ReadModels,
  projection: Projection<D>,
  projectId: string,
  key: string,
  name: string,
): Promise<D> {
  const found = await findByKey(readModels, projection, projectId, key);
  if (!found) throw new HttpError(404, `${name} not found in this project`);
  return found;
}

/** Returns a document that was just written. Throws {@link RetryLater} if it is not readable yet. */
export async function requireWritten<D extends Doc>(
  readModels: ReadModels,
  projection: Projection<D>,
  id: string,
  name: string,
): Promise<D> {
  const doc = await readModels.get(projection, id);
  if (!doc) throw notReadableYetError(name);
  return doc;
}

export function notReadableYetError(name: string): RetryLater {
  return new RetryLater(`the ${name} was saved but is not readable yet; retry in 1 second`, 1);
}
