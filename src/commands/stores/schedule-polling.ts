// Scheduling of polling for apps whose stores can be queried: it finds missed notifications.
import { scanPages } from '../../adapters/documents/records.js';
import { storeKindOf, type StoreKind } from '../../domain/store-kinds.js';
import { credentialCollection } from '../projects/credentials.js';
import type { StoreDeps } from './store-integration.js';

const PAGE = 500;

/** Schedules polling, once for each app; it reschedules itself. */
export async function schedulePolling(
  deps: StoreDeps,
  o: { readonly projectId: string; readonly appId: string; readonly store: StoreKind },
): Promise<void> {
  await deps.stores.of(o.store).scheduleTasks(deps, o.projectId, o.appId);
}

/** Schedules polling for all apps with credentials, including those registered by an import or by earlier code. */
export async function schedulePollingOfAllApps(deps: StoreDeps): Promise<void> {
  const all = { index: 'project', eq: [], limit: PAGE };
  for await (const rows of scanPages(all, (scan) => deps.docs.scan(credentialCollection.name, scan))) {
    for (const { id: appId, doc } of rows) {
      await schedulePolling(deps, { projectId: String(doc['projectId']), appId, store: storeKindOf(doc['store']) });
    }
  }
}
