// Starts the repeated work for apps whose stores may be asked: it looks for what the stores' notifications have missed.
import { allPages } from '../../adapters/documents/records.js';
import { storeKindOf, type StoreKind } from '../../domain/store-kinds.js';
import { credentialCollection } from '../projects/credentials.js';
import type { StoreDeps } from './store-integration.js';

const PAGE = 500;

/** Once for each app; it goes on by itself. */
export async function startAskingStore(
  deps: StoreDeps,
  o: { readonly projectId: string; readonly appId: string; readonly store: StoreKind },
): Promise<void> {
  await deps.stores.of(o.store).startTasks(deps, o.projectId, o.appId);
}

/** All apps that have credentials, also those whose registration nobody has seen: it came with an import or before this code. */
export async function startAskingStores(deps: StoreDeps): Promise<void> {
  const all = { index: 'project', eq: [], limit: PAGE };
  for await (const rows of allPages(all, (scan) => deps.docs.scan(credentialCollection.name, scan))) {
    for (const { id: appId, doc } of rows) {
      await startAskingStore(deps, { projectId: String(doc['projectId']), appId, store: storeKindOf(doc['store']) });
    }
  }
}
