// What commands need, put together on an opened engine: for the service, and for commands that write without one.
import { openAndroidStore } from '../adapters/android-store/open.js';
import type { Config } from '../adapters/config.js';
import type { Engine } from '../adapters/engine.js';
import { openIosStore } from '../adapters/ios-store/open.js';
import { namingKey } from '../adapters/naming.js';
import type { Runtime } from '../adapters/runtime.js';
import { createCredentialVerdicts } from '../commands/projects/credential-verdicts.js';
import { storesOf, type StoreDeps } from '../commands/stores/store-integration.js';
import { integrateAndroidStore } from '../commands/stores/android/integration.js';
import { integrateIosStore } from '../commands/stores/ios/integration.js';
import { createBacklog } from '../commands/stores/backlog.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { createBurstPriority } from '../commands/handling/burst-priority.js';
import { createSharedMutex } from '../commands/handling/shared-mutex.js';
import { createStateCache } from '../commands/handling/state-cache.js';
import { catalogDecider } from '../domain/catalog/catalog.js';
import { keyedHash } from '../domain/ids.js';
import { projectDecider } from '../domain/project/decide.js';
import { ratesDecider } from '../domain/rates/rates.js';
import { activityDecider } from '../domain/subscriber/state/activity.js';
import { passingCollections, recordCollections } from '../workers/coordination/collections.js';

export type OpenDeps = { readonly deps: StoreDeps; closeStores(): Promise<void> };

/** The stores must be closed. `roots` are those that the ios-store is believed by; `processId` names who holds shared locks. */
export async function openDeps(
  engine: Engine,
  config: Config,
  roots: readonly Buffer[],
  runtime: Runtime,
  processId: string,
): Promise<OpenDeps> {
  const { log, docs, dataKeys } = engine;
  await docs.ensure([...recordCollections, ...passingCollections]);
  const { ANDROID_STORE_API_URL: apiUrl, ANDROID_STORE_TOKEN_URL: tokenUrl, ANDROID_STORE_JWKS_URL: jwksUrl } = config;
  const verdicts = createCredentialVerdicts({ docs, runtime });
  const androidStore = openAndroidStore({ apiUrl, tokenUrl, jwksUrl }, runtime, verdicts);
  const iosStore = openIosStore(
    { production: config.IOS_STORE_API_URL, sandbox: config.IOS_STORE_SANDBOX_API_URL },
    { roots, onlineChecks: config.IOS_STORE_ONLINE_CHECKS, now: () => runtime.now() },
    verdicts,
  );
  const deps: StoreDeps = {
    log,
    docs,
    runtime,
    hash: keyedHash(await namingKey(engine)),
    dataKeys,
    projects: createStateCache(log, projectDecider),
    catalogs: createStateCache(log, catalogDecider),
    activities: createStateCache(log, activityDecider),
    rates: createStateCache(log, ratesDecider),
    mutex: engine.isShared ? createSharedMutex({ docs, runtime, owner: processId }) : createKeyedMutex(),
    burst: createBurstPriority(runtime),
    backlog: createBacklog(),
    stores: storesOf([integrateIosStore(iosStore), integrateAndroidStore(androidStore)]),
  };
  return {
    deps,
    closeStores: async () => {
      await androidStore.close();
      await iosStore.close();
    },
  };
}
