// The transactions of the books as known at an instant: those of the read model, folded again from the events recorded by then.
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { Rejection } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { isKnown, type EventOfFamily } from '../../domain/vocabulary.js';
import { transactionDocId, transactions, type TransactionDoc } from '../models/transactions.js';

export type TransactionsAsOf = {
  /** Returns the documents as known then, by the id of those of now; what was not known is left out. */
  of(docs: Iterable<TransactionDoc>): Promise<Map<string, TransactionDoc>>;
};

type Sources = { readonly log: Pick<EventLog, 'read'>; readonly slice: Runtime['slice'] };

/** Customers whose streams are read for one month: each takes up to a millisecond. */
export const MAX_CUSTOMERS_AS_OF = 5000;

export function createTransactionsAsOf({ log, slice }: Sources, projectId: string, asOf: string): TransactionsAsOf {
  const byCustomer = new Map<string, ReadonlyMap<string, TransactionDoc>>();
  const read = async (customerId: string): Promise<ReadonlyMap<string, TransactionDoc>> => {
    const known = byCustomer.get(customerId);
    if (known) return known;
    if (byCustomer.size >= MAX_CUSTOMERS_AS_OF) {
      const message = `the month has purchases of more than ${MAX_CUSTOMERS_AS_OF} customers, so that it cannot be shown as of an instant; omit asOf, or close months, which keeps their figures`;
      throw new Rejection('conflict', 'month-too-large', message);
    }
    await slice();
    const docs = fold(await eventsOf(log, projectId, customerId, asOf));
    byCustomer.set(customerId, docs);
    return docs;
  };
  return {
    of: async (docs) => {
      const found = new Map<string, TransactionDoc>();
      for (const { customerId, transactionId } of docs) {
        const id = transactionDocId(projectId, transactionId);
        const doc = (await read(customerId)).get(id);
        if (doc) found.set(id, doc);
      }
      return found;
    },
  };
}

type Event = EventOfFamily<'subscriber'>;

/** Returns the events of a customer and of all former holders of its purchases, recorded by the instant, in the order of the log. */
async function eventsOf(log: Sources['log'], projectId: string, customerId: string, asOf: string) {
  const found: Event[] = [];
  const visited = new Set<string>();
  for (const customers = [customerId]; ;) {
    const next = customers.pop();
    if (next === undefined) break;
    if (visited.has(next)) continue;
    visited.add(next);
    for await (const event of readStream(log, streams.subscriber(projectId, next))) {
      if (!isKnown(event)) continue;
      // What came to the customer later was another's then.
      if (event.type === 'PurchaseTransferred' && event.data.direction !== 'out')
        customers.push(event.data.fromCustomerId);
      if (event.meta.recordedAt <= asOf) found.push(event);
    }
  }
  return found.sort((a, b) => (a.position < b.position ? -1 : 1));
}

function fold(events: readonly Event[]): ReadonlyMap<string, TransactionDoc> {
  const docs = new Map<string, TransactionDoc>();
  for (const event of events) {
    for (const id of transactions.keys(event)) {
      const doc = transactions.fold(docs.get(id), event, id, () => undefined);
      if (doc) docs.set(id, doc);
      else docs.delete(id);
    }
  }
  return docs;
}
