// Account tokens that arrived with purchases, by keyed hash: the purchase lines that wait for the customer of a token, and the customers
// who presented a receipt with it.
import { isAnonymous } from '../../domain/ids.js';
import type { AppStore } from '../../domain/store-kinds.js';
import { type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** `customerId`: customer who presented the receipt; empty for a waiting line, which `store` and `storeChainId` identify. */
export type AccountTokenDoc = {
  readonly projectId: string;
  readonly key: string;
  readonly environment: 'production' | 'sandbox';
  readonly customerId: string;
  readonly store: AppStore | '';
  readonly storeChainId: string;
};

type StoredEvent = Parameters<Projection['keys']>[0];

/** One document per waiting line, and one per token and customer with a receipt, independent of the number of purchases. */
export const accountTokens: Projection<AccountTokenDoc> = {
  name: 'account_tokens',
  version: 1,
  families: ['purchase'],
  indexes: [{ name: 'token', fields: ['projectId', 'key'] }],
  isPartitioned: true,
  keys: (stored) => {
    const event = ofFamily(stored, 'purchase');
    if (!event) return [];
    const receipt = receiptOf(stored);
    return receipt ? [lineId(stored), receiptId(receipt)] : [lineId(stored)];
  },
  fold: (doc, stored, id) => {
    const event = ofFamily(stored, 'purchase');
    if (!event) return doc;
    if (id !== lineId(stored)) return doc ?? receiptOf(stored) ?? doc;
    const isWaiting =
      event.type === 'PurchaseClaimed' && event.data.source === 'store' && isAnonymous(event.data.appUserId);
    if (!isWaiting) return doc && null;
    const { accountToken, store, storeChainId } = event.data;
    if (!accountToken) return doc;
    const { key, environment } = accountToken;
    return { projectId: event.meta.projectId ?? '', key, environment, customerId: '', store, storeChainId };
  },
};

function lineId({ stream }: StoredEvent): string {
  return `line|${stream}`;
}

function receiptId({ key, environment, customerId }: AccountTokenDoc): string {
  return `receipt|${key}|${environment}|${customerId}`;
}

function receiptOf(stored: StoredEvent): AccountTokenDoc | undefined {
  const event = ofFamily(stored, 'purchase');
  if (!event?.data.accountToken || event.data.source !== 'receipt') return undefined;
  const { key, environment } = event.data.accountToken;
  const customerId = event.type === 'PurchaseClaimed' ? event.data.customerId : event.data.toCustomerId;
  return { projectId: event.meta.projectId ?? '', key, environment, customerId, store: '', storeChainId: '' };
}
