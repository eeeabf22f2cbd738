// Packages of an offering with their products, and their deletion.
import { Confirm } from '../parts/confirm';
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { withStore } from '../names/product-choices';
import { QueryView } from '../parts/states';
import { useProducts } from './lists';

export function Packages({ offeringId }: { readonly offeringId: string }) {
  const { project, may } = useProject();
  const path = { id: project.id, oid: offeringId };
  const packages = useQuery(`packages|${project.id}|${offeringId}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/offerings/{oid}/packages', { params: { path, query: { limit: 100 } }, signal })),
  );
  const known = useProducts().data?.items ?? [];
  const names = new Map(known.map((one) => [one.id, withStore(one)]));
  const nameOf = (product: { readonly id: string; readonly storeProductId: string }) =>
    names.get(product.id) ?? product.storeProductId;
  const remove = (pid: string) =>
    unwrap(api.DELETE('/v1/projects/{id}/offerings/{oid}/packages/{pid}', { params: { path: { ...path, pid } } }));
  return (
    <QueryView of={packages} what="the packages">
      {({ items }) =>
        items.length === 0 ? (
          <p class="hint">No packages yet. Apps have nothing to sell from it.</p>
        ) : (
          <ul class="plain packages" aria-label="Packages">
            {items.map(({ id, lookupKey, products }) => (
              <li key={id} class="head">
                <span>
                  <code>{lookupKey}</code> {products.map(nameOf).join(', ') || 'no product'}
                </span>
                {may('configure') && (
                  <Confirm
                    isIcon
                    label={`Delete ${lookupKey}`}
                    action="Delete"
                    run={() => remove(id)}
                    done="Deleted."
                    breaks="Apps that show this offering no longer sell it."
                  />
                )}
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}
