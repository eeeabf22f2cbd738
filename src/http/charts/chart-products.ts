// What charts must know of the catalogue: purchases that were recorded before their product was made belong to it all the same.
import { productIdOf } from '../../domain/catalog/catalog.js';
import type { Question } from '../../domain/charts/catalogue/question.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { readCatalogAsOf } from '../../projections/queries/as-of.js';
import type { ChartsAsked } from './charts-asked.js';
import type { Services } from '../dispatch/services.js';

/** Of the catalogue as it was then; nothing where products are not asked about. */
export async function productsFor(
  { deps }: Services,
  projectId: string,
  { segment, filters }: Question,
  { until, now }: Pick<ChartsAsked, 'until' | 'now'>,
): Promise<Pick<Question, 'productIdOf'>> {
  if (segment !== 'productId' && !filters.has('productId')) return {};
  const catalog =
    until > now
      ? await deps.catalogs.get(streams.catalog(projectId))
      : await readCatalogAsOf(deps.log, projectId, isoFromMs(until - 1));
  return { productIdOf: productIdOf(catalog) };
}
