// Lookup of offerings and packages, by path parameter and after a write.
import { RetryLater } from '../../domain/errors.js';
import { offerings, type OfferingDoc, type PackageDoc } from '../../projections/models/offerings.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { HttpError } from '../bodies/errors.js';

/** Finds an offering by ID or lookupKey. Throws {@link HttpError} 404, also for an offering of another project. */
export async function findOffering(readModels: ReadModels, projectId: string, key: string): Promise<OfferingDoc> {
  const byId = await readModels.get(offerings, key);
  if (byId?.projectId === projectId) return byId;
  const { rows } = await readModels.scan(offerings, { index: 'lookupKey', eq: [projectId, key], limit: 1 });
  const [row] = rows;
  if (!row) throw new HttpError(404, 'offering not found in this project');
  return row.doc;
}

/** Returns an offering that was just written. Throws {@link RetryLater} if it is not readable yet. */
export async function requireWrittenOffering(readModels: ReadModels, offeringId: string): Promise<OfferingDoc> {
  const doc = await readModels.get(offerings, offeringId);
  if (!doc) throw new RetryLater('the offering was saved but is not readable yet; retry in 1 second', 1);
  return doc;
}

/** Returns a package that was just written. Throws {@link RetryLater} if it is not readable yet. */
export async function requireWrittenPackage(
  readModels: ReadModels,
  o: { readonly offeringId: string; readonly packageId: string },
): Promise<PackageDoc> {
  const { packages } = await requireWrittenOffering(readModels, o.offeringId);
  const doc = packages.find((p) => p.packageId === o.packageId);
  if (!doc) throw new RetryLater('the package was saved but is not readable yet; retry in 1 second', 1);
  return doc;
}
