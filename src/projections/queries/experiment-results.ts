// Results of an experiment, from the customer histories of the charts, read one page of customers at a time.
import { scanPages } from '../../adapters/documents/records.js';
import { outcomeOf, summarize, type Outcome, type VariantResults } from '../../domain/experiment/results.js';
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
  { experimentId, variantId, asOf }: VariantRequest,
): Promise<VariantResults> {
  const outcomes: Outcome[] = [];
  const enrolled = { index: 'variant', eq: [experimentId, variantId], limit: PAGE };
  const pages = scanPages(enrolled, (scan) => readModels.scanDerived<EnrolmentDoc>(customers, 'enrolments', scan));
  for await (const rows of pages) {
    const ids = rows.map(({ doc }) => doc.customerId);
    const documents = await readModels.getMany(customerHistories, ids);
    const histories = new Map([...documents].map(([id, doc]) => [id, knownHistoryOf(doc, 'production', asOf)]));
    for (const { doc } of rows) {
      outcomes.push(outcomeOf(histories.get(doc.customerId) ?? null, msFromIso(doc.enrolledAt), asOf));
    }
  }
  return summarize(outcomes);
}
