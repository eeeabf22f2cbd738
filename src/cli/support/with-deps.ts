// Commands that write like the service, on an engine that no service uses.
import type { Config } from '../../adapters/configuration/config.js';
import type { Engine } from '../../adapters/engine/engine.js';
import type { Runtime } from '../../adapters/runtime.js';
import { createCredentialVerdicts } from '../../commands/projects/credential-checks.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { openDeps } from '../../main/open-deps.js';
import { openStores } from '../../main/open-stores.js';

/** Runs the work with the dependencies of the use cases, and with the stores, which are closed afterwards. */
export async function withDeps<T>(
  config: Config,
  runtime: Runtime,
  engine: Engine,
  work: (deps: StoreDeps) => Promise<T>,
): Promise<T> {
  const verdicts = createCredentialVerdicts({ docs: engine.docs, runtime });
  const { stores, close } = openStores({ config, runtime, verdicts });
  try {
    return await work(await openDeps(engine, stores, runtime, runtime.newId('proc')));
  } finally {
    await close();
  }
}
