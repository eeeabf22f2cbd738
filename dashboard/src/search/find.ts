// Searches customers by everything that a user can send: the search of the customer list, and order or transaction IDs.
import { api, unwrap } from '../api/client';
import { statusText } from '../parts/status-badge';
import { CUSTOMER_ICON, type Hit } from './places';

const MAX_RESULTS = 8;
/**
 * Order ID of Google Play (`GPA.…`) or of the App Store (`M…`), or a transaction ID. Customers do not have them: the service finds the
 * transaction, and for an order of the App Store asks that store for it.
 */
const ORDER = /^(GPA\.[\d.-]+|M(?=\D*\d)[A-Z0-9]{7,}|\d{6,})$/;

export async function findCustomers(id: string, text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const path = { id };
  const query = { search: text, limit: MAX_RESULTS };
  const listing = unwrap(api.GET('/v1/projects/{id}/customers', { params: { path, query }, signal }));
  const ofOrder = ORDER.test(text)
    ? unwrap(
        api.GET('/v1/projects/{id}/transactions/{transactionId}', {
          params: { path: { ...path, transactionId: text } },
          signal,
        }),
      ).catch(() => null)
    : Promise.resolve(null);
  const [{ items }, transaction] = await Promise.all([listing, ofOrder]);
  const hits = items.map((one) => hitOf(id, one.id, one.appUserId, statusText(one.status)));
  const owner = transaction?.customer;
  if (!owner || hits.some(({ to }) => to.endsWith(owner.id))) return hits;
  return [hitOf(id, owner.id, owner.appUserId, `transaction ${text}`), ...hits];
}

function hitOf(projectId: string, customerId: string, appUserId: string, about: string): Hit {
  return { to: `/projects/${projectId}/customers/${customerId}`, title: appUserId, about, icon: CUSTOMER_ICON };
}
