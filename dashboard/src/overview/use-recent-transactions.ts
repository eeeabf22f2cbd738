// Loads the newest transactions, at least those of the last hour.
import { nextPageQuery, type PageQuery } from '#sdk/items';
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery, type QueryState } from '../api/query';
import { useProject } from '../context/project';
import { environment } from '../context/router';

export type Transaction = Schemas['MoneyEntry'];
export type RecentTransactions = {
  /** Newest first. */
  readonly items: readonly Transaction[];
  /** True if the last hour has more transactions than are loaded. */
  readonly isCut: boolean;
};

export const HOUR_MS = 3_600_000;
const EVERY_MS = 10_000;
const PAGE = '100';
const MAX_PAGES = 5;

export function useRecentTransactions(): QueryState<RecentTransactions> {
  const { project } = useProject();
  const env = environment.value;
  return useQuery(
    `recent|${project.id}|${env}`,
    async (signal) => {
      const since = Date.now() - HOUR_MS;
      const items: Transaction[] = [];
      let page: PageQuery | null = { environment: env, limit: PAGE };
      for (let n = 0; page !== null && n < MAX_PAGES; n++) {
        const params = { path: { id: project.id }, query: page };
        const transactions: { items: Transaction[]; nextPage: string | null } = await unwrap(
          api.GET('/v1/projects/{id}/transactions', { params, signal }),
        );
        items.push(...transactions.items);
        const isCovered = Date.parse(items.at(-1)?.at ?? '') < since;
        page = isCovered ? null : nextPageQuery(transactions.nextPage);
      }
      return { items, isCut: page !== null };
    },
    { every: EVERY_MS },
  );
}
