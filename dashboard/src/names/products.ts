// Display names of products, instead of the IDs that they have in the stores.
import { useMemo } from 'preact/hooks';
import { api, unwrapAll, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { withTimesInZone } from '../parts/format';
import { withStoreNames } from './stores';

type Product = Schemas['Product'];

export type ProductNames = {
  /** Returns the display name, or the store's ID of a product that is not in the catalogue. */
  nameOf(product: { readonly productId?: string | null; readonly storeProductId: string }): string;
  /** Rewords a sentence of the server: names of products and stores instead of IDs, and times as on the rest of the page. */
  reword(text: string): string;
};

const NONE: readonly Product[] = [];

/** Returns IDs until the catalogue is loaded. */
export function useProductNames(): ProductNames {
  const { project } = useProject();
  const path = { id: project.id };
  const { data } = useQuery(`product-names|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/products', { params: { path, query }, signal })),
  );
  const products = data?.items ?? NONE;
  return useMemo(() => namesOf(products), [products]);
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
      return withTimesInZone(withStoreNames(withNames));
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
