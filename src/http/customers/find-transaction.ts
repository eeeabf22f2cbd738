// Lookup of transactions: all of a customer, or one by its store's transaction ID or order ID. Only stores whose transactions do not contain their orders are
// requested, and only for text that can be such an order ID.
import { scanPages } from '../../adapters/documents/records.js';
import { NoCredentials, StoreRefusal } from '../../domain/errors.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { transactionDocId, transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';

/** Throws {@link HttpError} 404 with the reason why a store was not requested. */
export async function requireTransaction(
  services: Services,
  projectId: string,
  named: string,
): Promise<TransactionDoc> {
  const { readModels, deps } = services;
  const found = await readModels.get(transactions, transactionDocId(projectId, named));
  if (found) return found;
  const project = await deps.projects.get(streams.project(projectId));
  const answers = await Promise.all(
    (project?.apps ?? []).filter(isStoreApp).map((app) => lookUpOrder(services, { projectId, app }, named)),
  );
  const ids = answers.flatMap(({ transactionIds }) => transactionIds.map((id) => transactionDocId(projectId, id)));
  const [ordered] = (await readModels.getMany(transactions, ids)).values();
  if (ordered) return ordered;
  const [obstacle] = answers.flatMap(({ obstacle: notAsked }) => notAsked ?? []);
  throw new HttpError(404, `transaction not found in this project${obstacle === undefined ? '' : `; ${obstacle}`}`);
}

type OrderLookup = { readonly transactionIds: readonly string[]; readonly obstacle: string | null };

/** Throws `Unavailable` if the store cannot be reached. */
async function lookUpOrder(
  { deps }: Services,
  owner: { readonly projectId: string; readonly app: StoreApp },
  orderId: string,
): Promise<OrderLookup> {
  const { store, name } = owner.app;
  const find = deps.stores.of(store).transactionsOfOrder;
  try {
    return { transactionIds: find ? await find(deps, owner, orderId) : [], obstacle: null };
  } catch (err) {
    const order = `if it is an order ID of the ${store}`;
    if (err instanceof NoCredentials)
      return { transactionIds: [], obstacle: `${order}, register the credentials of the app ${name} to look it up` };
    if (err instanceof StoreRefusal)
      return { transactionIds: [], obstacle: `${order}, the store rejected the credentials of the app ${name}` };
    throw err;
  }
}

/** Reads all transactions of a customer, oldest first. */
export async function readTransactions(readModels: ReadModels, id: string): Promise<readonly TransactionDoc[]> {
  const all: TransactionDoc[] = [];
  const ofCustomer = { index: 'customer', eq: [id], limit: 500 };
  for await (const rows of scanPages(ofCustomer, (scan) => readModels.scan(transactions, scan))) {
    all.push(...rows.map((r) => r.doc));
  }
  return all;
}
