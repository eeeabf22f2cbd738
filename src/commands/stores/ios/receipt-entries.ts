// Fetches from the store the transactions that the entries of an app receipt name. The receipt is signed, and each response must be about its
// entry.
import type { AppReceipt, ReceiptPurchase } from '../../../adapters/ios-store/app-receipt.js';
import type { IosApp, IosEnvironment, IosTransaction } from '../../../adapters/ios-store/port.js';
import { InvalidSignedData, IosStoreRefusal, NoCredentials, StoreUnavailable } from '../../../domain/errors.js';
import { isoFromMs } from '../../../domain/time.js';
import { invalidReceipt, unknownReceipt } from '../receipts.js';
import type { Receipt } from '../store-integration.js';
import { skipInvalid } from './chains.js';
import { openIosApp } from './credentials.js';
import { verifyTransaction, type IosDeps } from './inbox.js';

/** Entries up to which no history is read; a page of it has 20. */
const FEW = 5;
/** Entries that the history omits: the store lists everything that a receipt contains, with rare exceptions. */
const MAX_SINGLE_REQUESTS = 20;
/** The response is data of the store that this code, or its configuration, cannot read yet. */
const RETRY_AFTER_S = 60;

type ReceiptContext = Pick<Receipt, 'projectId' | 'app' | 'bought'>;

/** Throws `Rejection` for a receipt of another app. */
export function expectOfBundle({ bundleId }: AppReceipt, app: Receipt['app']): void {
  if (bundleId !== null && bundleId !== app.storeIdentifier) throw ofAnotherApp();
}

/** Throws `Rejection` where the store reports another purchase or none, `NoCredentials`, {@link IosStoreRefusal} and `Unavailable`. */
export async function fetchEntry(deps: IosDeps, o: ReceiptContext, entry: ReceiptPurchase): Promise<IosTransaction> {
  const transaction = await requestTransaction(deps, o, entry.transactionId);
  if (!isAbout(transaction, entry)) throw unknownReceipt('the store reports another purchase for its transaction');
  return transaction;
}

/**
 * Finds a purchase that is newer than the receipt of its device: in the history of the buyer, whom an entry of the receipt names. Throws
 * {@link StoreUnavailable} while the store does not list it.
 */
export async function findLaterPurchase(
  deps: IosDeps,
  o: ReceiptContext,
  entry: ReceiptPurchase,
): Promise<IosTransaction> {
  const { environment } = await fetchEntry(deps, o, entry);
  const { transactionId, storeProductId } = o.bought ?? {};
  const whole = { ...entry, purchasedAt: '' };
  const later = await readHistory(deps, o, environment, transactionId === undefined ? entry : whole);
  const found = later.findLast((t) =>
    transactionId === undefined ? t.productId === storeProductId : t.transactionId === transactionId,
  );
  if (found) return found;
  const message = 'the ios-store does not list the purchase yet, and the receipt was made before it';
  throw new StoreUnavailable(message, RETRY_AFTER_S);
}

/**
 * `later`: a device that names only a product may mean a purchase that is newer than its receipt: all of the product from this entry on are
 * wanted as well.
 */
type EntrySelection = { readonly entries: readonly ReceiptPurchase[]; readonly later: ReceiptPurchase | null };

type Failure = StoreUnavailable | IosStoreRefusal;

/**
 * Returns the wanted transactions, as far as the store knows them, and the failure that kept it from showing the others; null without one.
 */
export async function fetchEntries(
  deps: IosDeps,
  o: ReceiptContext,
  environment: IosEnvironment,
  { entries, later }: EntrySelection,
): Promise<{ readonly fetched: readonly IosTransaction[]; readonly failure: Failure | null }> {
  const wanted = new Map(entries.map((entry) => [entry.transactionId, entry]));
  const fetched = new Map<string, IosTransaction>();
  let failure: Failure | null = null;
  try {
    for await (const transaction of listedTransactions(deps, o, environment, { entries, later })) {
      const entry = wanted.get(transaction.transactionId);
      const isWanted = entry ? isAbout(transaction, entry) : later?.productId === transaction.productId;
      if (transaction.environment === environment && isWanted) fetched.set(transaction.transactionId, transaction);
    }
  } catch (err) {
    if (!(err instanceof StoreUnavailable || err instanceof IosStoreRefusal)) throw err;
    failure = err;
  }
  return { fetched: [...fetched.values()], failure };
}

/** A few entries are requested one by one; with more, the buyer's history is read first. */
async function* listedTransactions(
  deps: IosDeps,
  o: ReceiptContext,
  environment: IosEnvironment,
  { entries, later }: EntrySelection,
): AsyncGenerator<IosTransaction> {
  const listed = new Set<string>();
  const oldest = entries.length > FEW ? oldestOf(entries) : undefined;
  for (const from of [oldest, later ?? undefined]) {
    for (const transaction of from ? await readHistory(deps, o, environment, from) : []) {
      listed.add(transaction.transactionId);
      yield transaction;
    }
  }
  const unlisted = entries.filter(({ transactionId }) => !listed.has(transactionId)).slice(0, MAX_SINGLE_REQUESTS);
  if (unlisted.length === 0) return;
  const store = await openIosApp(deps, o, environment);
  for (const { transactionId } of unlisted) {
    const response = await requestOrRefusal(deps, store, environment, transactionId);
    if (response instanceof IosStoreRefusal && response.reason === 'forbidden') throw response;
    if (typeof response !== 'string') continue;
    const transaction = await skipInvalid(verifyTransaction(deps, o.app, response));
    if (transaction) yield transaction;
  }
}

function oldestOf(entries: readonly ReceiptPurchase[]): ReceiptPurchase | undefined {
  const [first, ...others] = entries;
  return others.reduce((oldest, entry) => (oldest && oldest.purchasedAt <= entry.purchasedAt ? oldest : entry), first);
}

/** A renewal is listed up to a day before the period that it pays, which is its time of purchase. */
const EARLY_MS = 2 * 86_400_000;

/** Returns the verified transactions of the buyer from an entry on, in the order of their purchases; none if it has no history. */
async function readHistory(
  deps: IosDeps,
  o: ReceiptContext,
  environment: IosEnvironment,
  { transactionId, purchasedAt }: ReceiptPurchase,
): Promise<readonly IosTransaction[]> {
  const store = await openIosApp(deps, o, environment);
  const sinceMs = Math.max(0, (Date.parse(purchasedAt) || 0) - EARLY_MS);
  const transactions: IosTransaction[] = [];
  for (const text of await historyOrNothing(deps, store, { environment, transactionId, sinceMs })) {
    const transaction = await skipInvalid(verifyTransaction(deps, o.app, text));
    if (transaction?.environment === environment) transactions.push(transaction);
  }
  return transactions.toSorted((a, b) => a.purchaseDate - b.purchaseDate);
}

async function historyOrNothing(
  { iosStore: { api } }: IosDeps,
  store: IosApp,
  { environment, transactionId, sinceMs }: HistoryRequest,
): Promise<readonly string[]> {
  try {
    return (await api.history(store, environment, transactionId, 'all', sinceMs)) ?? [];
  } catch (err) {
    if (!(err instanceof IosStoreRefusal) || err.reason === 'forbidden') throw err;
    return [];
  }
}

type HistoryRequest = {
  readonly environment: IosEnvironment;
  readonly transactionId: string;
  readonly sinceMs: number;
};

/**
 * A transaction number may be known to others. The entry must contain what only the buyer's device and the store have: the number of the
 * order line item, or without one (one-time purchases) the second of the purchase.
 */
function isAbout(transaction: IosTransaction, entry: ReceiptPurchase): boolean {
  const { transactionId, productId, webOrderLineItemId, purchaseDate, originalPurchaseDate } = transaction;
  if (productId !== entry.productId) return false;
  if (transactionId !== entry.transactionId) return false;
  if (webOrderLineItemId !== undefined) return webOrderLineItemId === entry.webOrderLineItemId;
  const dates = [purchaseDate, originalPurchaseDate ?? purchaseDate];
  return dates.some((ms) => secondOf(isoFromMs(ms)) === secondOf(entry.purchasedAt));
}

/** The part of an instant (ISO 8601, UTC) up to its seconds. */
function secondOf(instant: string): string {
  return instant.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

/** Asks production first, where almost all receipts are from; a transaction exists in one environment only. */
async function requestTransaction(
  deps: IosDeps,
  { projectId, app }: ReceiptContext,
  transactionId: string,
): Promise<IosTransaction> {
  const store = await openIosApp(deps, { projectId, app });
  const { environments } = store.key;
  let refusal: IosStoreRefusal | null = null;
  for (const environment of environments) {
    const response = await requestOrRefusal(deps, store, environment, transactionId);
    if (typeof response === 'string') return verifyResponse(deps, app, environment, response);
    refusal ??= response;
  }
  if (refusal) throw refusal;
  // The transaction may be of the environment that the key is not for.
  if (environments.length < ENVIRONMENTS) throw new NoCredentials(app.appId, 'ios-store');
  throw unknownReceipt('the store knows no such purchase of this app');
}

const ENVIRONMENTS = 2;

/** Production refuses every key of an app that is not released; its review and its testers buy in the sandbox. */
async function requestOrRefusal(
  deps: IosDeps,
  store: IosApp,
  environment: IosEnvironment,
  transactionId: string,
): Promise<string | IosStoreRefusal | null> {
  try {
    return await deps.iosStore.api.transaction(store, environment, transactionId);
  } catch (err) {
    if (err instanceof IosStoreRefusal) return err;
    throw err;
  }
}

/** The client can do nothing about a response that does not verify: the receipt may be valid later. */
async function verifyResponse(
  deps: IosDeps,
  app: Receipt['app'],
  environment: IosEnvironment,
  signed: string,
): Promise<IosTransaction> {
  try {
    const transaction = await verifyTransaction(deps, app, signed);
    if (transaction.environment === environment) return transaction;
    throw new StoreUnavailable('the ios-store answered with a transaction of another environment', RETRY_AFTER_S);
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    if (err.reason === 'other_app') throw ofAnotherApp();
    throw new StoreUnavailable(err.message, RETRY_AFTER_S);
  }
}

export function ofAnotherApp() {
  return invalidReceipt('it belongs to another app');
}
