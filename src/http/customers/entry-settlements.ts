// Settlements of the charges and refunds of a timeline, by the stores' reports.
import type { EntryKind } from '../../domain/books/entries.js';
import { findSettlement } from '../../projections/books/settlement.js';
import { transactionDocId, transactions } from '../../projections/models/transactions.js';
import type { TimelineEntry } from '../../projections/queries/timeline.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import { presentSettlement } from '../books/settlement-responses.js';
import type { Services } from '../dispatch/services.js';
import type { timelineEntry } from './responses.js';

const kindByType: Readonly<Record<string, EntryKind>> = {
  SubscriptionStarted: 'charge',
  SubscriptionRenewed: 'charge',
  OneTimePurchaseCompleted: 'charge',
  TransactionRefunded: 'refund',
  TransactionRefundReversed: 'reversal',
};

type Body = BodyOf<typeof timelineEntry>;

/** Adds the settlement to the entries that moved money. A project without reports has none. */
export async function withSettlements(
  { books, readModels }: Pick<Services, 'books' | 'readModels'>,
  projectId: string,
  timeline: readonly TimelineEntry[],
  bodies: readonly Body[],
): Promise<readonly Body[]> {
  if ((await books.listReports(projectId)).length === 0) return bodies;
  const idOf = ({ data }: TimelineEntry): string => transactionDocId(projectId, transactionOf(data));
  const moved = timeline.filter(({ type }) => kindByType[type] !== undefined);
  const docs = await readModels.getMany(transactions, [...new Set(moved.map(idOf))]);
  const settled: Body[] = [];
  for (const [i, body] of bodies.entries()) {
    const entry = timeline[i];
    const kind = entry && kindByType[entry.type];
    const doc = kind && docs.get(idOf(entry));
    const found = doc ? presentSettlement(await findSettlement(books, doc, { kind, at: entry.at })) : null;
    settled.push(found ? { ...body, settlement: found } : body);
  }
  return settled;
}

function transactionOf(data: TimelineEntry['data']): string {
  const { purchase, transactionId } = data as { purchase?: { transactionId?: unknown }; transactionId?: unknown };
  const id = transactionId ?? purchase?.transactionId;
  return typeof id === 'string' ? id : '';
}
