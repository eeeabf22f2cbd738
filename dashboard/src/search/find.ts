// Searches customers by everything that a user can send: the search of the customer list, and order or transaction IDs.
import { api, unwrap } from '../api/client';
import { wordsOf } from '../parts/format';
import { CUSTOMER_ICON, type Hit } from './places';

const MAX_RESULTS = 8;

export async function findCustomers(id: string, text: string, signal: AbortSignal): Promise<readonly Hit[]> {
  const path = { id };
  const query = { search: text, limit: MAX_RESULTS };
  const listing = unwrap(api.GET('/v1/projects/{id}/customers', { params: { path, query }, signal }));
  // Only transactions contain the order IDs of the stores.
  const looksLikeOrder = /^(GPA\.[\d.-]+|\d{6,})$/.test(text);
  const ofOrder = looksLikeOrder
    ? unwrap(
        api.GET('/v1/projects/{id}/transactions/{transactionId}', {
          params: { path: { ...path, transactionId: text } },
          signal,
        }),
      ).catch(() => null)
    : Promise.resolve(null);
  const [{ items }, transaction] = await Promise.all([listing, ofOrder]);
  const hits = items.map((one) => hitOf(id, one.id, one.appUserId, wordsOf(one.status)));
  const owner = transaction?.customer;
  if (!owner || hits.some(({ to }) => to.endsWith(owner.id))) return hits;
  return [hitOf(id, owner.id, owner.appUserId, `transaction ${text}`), ...hits];
}

function hitOf(projectId: string, customerId: string, appUserId: string, about: string): Hit {
  return { to: `/projects/${projectId}/customers/${customerId}`, title: appUserId, about, icon: CUSTOMER_ICON };
}
