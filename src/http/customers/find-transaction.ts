// Lookup of a transaction by its store's transaction ID or order ID. Only stores whose transactions do not contain their orders are
// requested, and only for text that can be such an order ID.
import { NoCredentials, StoreRefusal } from '../../domain/errors.js';
import { isStoreApp, type StoreApp } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { transactionDocId, transactions, type TransactionDoc } from '../../projections/models/transactions.js';
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
    (project?.apps ?? []).filter(isStoreApp).map((app) => ofOrder(services, { projectId, app }, named)),
  );
  const ids = answers.flatMap(({ transactionIds }) => transactionIds.map((id) => transactionDocId(projectId, id)));
  const [ofOrderFound] = (await readModels.getMany(transactions, ids)).values();
  if (ofOrderFound) return ofOrderFound;
  const [why] = answers.flatMap(({ notAsked }) => notAsked ?? []);
  throw new HttpError(404, `transaction not found in this project${why === undefined ? '' : `; ${why}`}`);
}

type Answer = { readonly transactionIds: readonly string[]; readonly notAsked: string | null };

/** Throws `Unavailable` if the store cannot be reached. */
async function ofOrder(
  { deps }: Services,
  owner: { readonly projectId: string; readonly app: StoreApp },
  orderId: string,
): Promise<Answer> {
  const { store, name } = owner.app;
  const ask = deps.stores.of(store).transactionsOfOrder;
  try {
    return { transactionIds: ask ? await ask(deps, owner, orderId) : [], notAsked: null };
  } catch (err) {
    const order = `if it is an order id of the ${store}`;
    if (err instanceof NoCredentials)
      return { transactionIds: [], notAsked: `${order}, register the credentials of the app ${name} to look it up` };
    if (err instanceof StoreRefusal)
      return { transactionIds: [], notAsked: `${order}, the store did not take the credentials of the app ${name}` };
    throw err;
  }
}
