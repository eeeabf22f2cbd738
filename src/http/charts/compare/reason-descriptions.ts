// Descriptions of the reasons of a comparison, from the histories of their customers.
import type { RawReason } from '../../../domain/charts/compare/packed-reasons.js';
import { createReasonSentences, type ReasonPeriod } from '../../../domain/charts/compare/reason-sentences.js';
import { customerHistories, type CustomerHistoryDoc } from '../../../projections/charts/customer-histories.js';
import type { ReadModels } from '../../../projections/queries/read-models.js';
import type { ComparisonRequest } from './comparison-request.js';

/** Customers whose histories are read. A reason with a customer that is not among them names only the time between the sides. */
const MAX_HISTORIES = 500;

export type DescribeReason = (reason: Pick<RawReason, 'kind' | 'count' | 'customers'>, period: ReasonPeriod) => string;

/** Reads the histories of the listed customers, and creates the descriptions. */
export async function describeReasons(
  readModels: ReadModels,
  { then, now }: Pick<ComparisonRequest, 'then' | 'now'>,
  listed: readonly string[],
): Promise<DescribeReason> {
  const ids = listed.slice(0, MAX_HISTORIES);
  const histories =
    ids.length === 0 ? new Map<string, CustomerHistoryDoc>() : await readModels.getMany(customerHistories, ids);
  const { environment } = now.chartQuery;
  const sentenceOf = createReasonSentences({ since: then.asOf, until: now.asOf, environment });
  return ({ kind, count, customers }, period) => {
    const known = customers.flatMap((id) => histories.get(id) ?? []);
    return sentenceOf(kind, period, known.length === count ? known : null);
  };
}
