// Searches customers by everything that a user can send: the search of the customer list, and order or transaction IDs.
import { api, unwrap, ApiError } from '../../api/client';
import { withStoreNames } from '../../names/stores';
import { sentenceCase } from '../../parts/format';
import { statusText } from '../../parts/status-badge';
import { CUSTOMER_ICON, type Hit } from './places';

const MAX_RESULTS = 8;
/**
 * Order ID of Google Play (`GPA.…`) or of the App Store (`M…`), or a transaction ID. Customers do not have them: the service finds the
 * transaction, and for an order of the App Store asks that store for it.
 */
const ORDER = /^(GPA\.[\d.-]+|M(?=\D*\d)[A-Z0-9]{7,}|\d{6,})$/;

/** `obstacle` says why an order or transaction was not found and what to do; null if it was found or the text is neither. */
export type FoundCustomers = { readonly hits: readonly Hit[]; readonly obstacle: string | null };

export async function findCustomers(id: string, text: string, signal: AbortSignal): Promise<FoundCustomers> {
  const path = { id };
  const query = { search: text, limit: MAX_RESULTS };
  const listing = unwrap(api.GET('/v1/projects/{id}/customers', { params: { path, query }, signal }));
  const [{ items }, { owner, obstacle }] = await Promise.all([listing, findBuyer(id, text, signal)]);
  const hits = items.map((one) => hitOf(id, one.id, one.appUserId, statusText(one.status)));
  if (!owner || hits.some(({ to }) => to.endsWith(owner.id))) return { hits, obstacle };
  return { hits: [hitOf(id, owner.id, owner.appUserId, `transaction ${text}`), ...hits], obstacle };
}

type Buyer = {
  readonly owner: { readonly id: string; readonly appUserId: string } | null;
  readonly obstacle: string | null;
};

async function findBuyer(id: string, transactionId: string, signal: AbortSignal): Promise<Buyer> {
  if (!ORDER.test(transactionId)) return { owner: null, obstacle: null };
  const params = { path: { id, transactionId } };
  try {
    const found = await unwrap(api.GET('/v1/projects/{id}/transactions/{transactionId}', { params, signal }));
    return { owner: found.customer, obstacle: null };
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    return { owner: null, obstacle: `${sentenceCase(withStoreNames(err.message))}.` };
  }
}

function hitOf(projectId: string, customerId: string, appUserId: string, about: string): Hit {
  return { to: `/projects/${projectId}/customers/${customerId}`, title: appUserId, about, icon: CUSTOMER_ICON };
}
