// Results of an experiment, from the customer histories of the charts, read one page of customers at a time.
import { scanPages } from '../../adapters/documents/records.js';
import {
  outcomeOf,
  summarize,
  summarizeSegments,
  type Outcome,
  type SegmentedVariantResults,
} from '../../domain/experiment/results.js';
import { knownHistoryOf } from '../../domain/charts/history/known-history.js';
import { msFromIso } from '../../domain/time.js';
import type { VariantRequest } from '../charts/requests/chart-queries.js';
import { customerHistories } from '../charts/customer-histories.js';
import { customers, type EnrolmentDoc } from '../models/customers.js';
import type { ReadModels } from './read-models.js';

const PAGE = 500;

/** Returns the results of one variant, counted for each customer from the enrolment to before `asOf` (UTC ms). */
export async function readVariantResults(
  readModels: ReadModels,
  { experimentId, variantId, asOf, segment }: VariantRequest,
): Promise<SegmentedVariantResults> {
  const outcomes: { readonly value: string | null; readonly outcome: Outcome }[] = [];
  const enrolled = { index: 'variant', eq: [experimentId, variantId], limit: PAGE };
  const pages = scanPages(enrolled, (scan) => readModels.scanDerived<EnrolmentDoc>(customers, 'enrolments', scan));
  for await (const rows of pages) {
    const ids = rows.map(({ doc }) => doc.customerId);
    const documents = await readModels.getMany(customerHistories, ids);
    for (const { doc } of rows) {
      const history = documents.get(doc.customerId);
      const known = history ? knownHistoryOf(history, 'production', asOf) : null;
      const value = (segment && history?.own.created?.[segment]) ?? null;
      outcomes.push({ value, outcome: outcomeOf(known, msFromIso(doc.enrolledAt), asOf) });
    }
  }
  return {
    whole: summarize(outcomes.map(({ outcome }) => outcome)),
    segments: segment ? summarizeSegments(outcomes) : [],
  };
}
