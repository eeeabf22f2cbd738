// Apps whose stores may be asked are looked after for good: refunds of the android-store, notifications of the ios-store that were missed.
import { storeKindOf, type StoreKind } from '../../domain/store-kinds.js';
import { startSweeping } from './android/sweep.js';
import { credentialCollection } from '../projects/credentials.js';
import type { Deps } from '../handling/deps.js';
import { startCatchingUp } from './ios/catch-up.js';

const PAGE = 500;

/** Once for each app; it goes on by itself. */
export async function startAskingStore(
  deps: Deps,
  o: { readonly projectId: string; readonly appId: string; readonly store: StoreKind },
): Promise<void> {
  const start = o.store === 'android-store' ? startSweeping : startCatchingUp;
  await start(deps, o.projectId, o.appId);
}

/** All apps that have credentials, also those whose registration nobody has seen: it came with an import or before this code. */
export async function startAskingStores(deps: Deps): Promise<void> {
  for (let after: string | undefined, more = true; more;) {
    const scan = { index: 'project', eq: [], limit: PAGE, ...(after !== undefined && { after }) };
    const { rows, next } = await deps.docs.scan(credentialCollection.name, scan);
    for (const { id: appId, doc } of rows) {
      await startAskingStore(deps, { projectId: String(doc['projectId']), appId, store: storeKindOf(doc['store']) });
    }
    after = next;
    more = after !== undefined;
  }
}
