// Display names of products, instead of the IDs that they have in the stores.
import { useMemo } from 'preact/hooks';
import { nextPageQuery, type PageQuery } from '#sdk/items';
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { utc } from '../parts/format';
import { withStoreNames } from './stores';

type Product = Schemas['Product'];

export type ProductNames = {
  /** Returns the display name, or the store's ID of a product that is not in the catalogue. */
  nameOf(product: { readonly productId?: string | null; readonly storeProductId: string }): string;
  /** Rewords a sentence of the server: names of products and stores instead of IDs, and times as on the rest of the page. */
  reword(text: string): string;
};

const PAGE = 100;
const TIME = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g;
const NONE: readonly Product[] = [];

/** Returns IDs until the catalogue is loaded. */
export function useProductNames(): ProductNames {
  const { project } = useProject();
  const { data = NONE } = useQuery(`product-names|${project.id}`, (signal) => loadProducts(project.id, signal));
  return useMemo(() => namesOf(data), [data]);
}

async function loadProducts(id: string, signal: AbortSignal): Promise<readonly Product[]> {
  const products: Product[] = [];
  for (let page: PageQuery | null = {}; page !== null;) {
    const params = { path: { id }, query: { limit: PAGE, ...page } };
    const { items, nextPage } = await unwrap(api.GET('/v1/projects/{id}/products', { params, signal }));
    products.push(...items);
    page = nextPageQuery(nextPage);
  }
  return products;
}

function namesOf(products: readonly Product[]): ProductNames {
  const byId = new Map(products.map(({ id, displayName }) => [id, displayName]));
  const byStoreId = new Map(products.map(({ storeProductId, displayName }) => [storeProductId, displayName]));
  const pattern = patternOf([...byStoreId.keys()]);
  return {
    nameOf: ({ productId, storeProductId }) =>
      byId.get(productId ?? '') ?? byStoreId.get(storeProductId) ?? storeProductId,
    reword: (text) => {
      const withNames = pattern ? text.replaceAll(pattern, (id) => `“${byStoreId.get(id) ?? id}”`) : text;
      return withStoreNames(withNames).replaceAll(TIME, (_, date: string, time: string) => utc(`${date}T${time}Z`));
    },
  };
}

/** Matches whole IDs only: one may be the beginning of another, and the end of a sentence may follow. Null without products. */
function patternOf(ids: readonly string[]): RegExp | null {
  if (ids.length === 0) return null;
  const longestFirst = ids
    .toSorted((a, b) => b.length - a.length)
    .map((id) => id.replaceAll(/[^\w]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\w.:-])(?:${longestFirst.join('|')})(?![\w-]|[.:]\w)`, 'g');
}
