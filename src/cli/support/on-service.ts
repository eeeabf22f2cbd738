// Writes of commands: executed here when no service runs on the data, else sent to the service, the only process that may write.
import type { Config } from '../../adapters/configuration/config.js';
import { dataDirectoryFault } from '../../adapters/configuration/data-directory.js';
import { hasServers, openEngine, type Engine } from '../../adapters/engine/engine.js';
import { openOperatorRequests } from '../../adapters/operator-requests/folder.js';
import type { Runtime } from '../../adapters/runtime.js';
import { DirectoryInUse, lockDirectory } from '../../adapters/sqlite/lock.js';
import { createCredentialVerdicts } from '../../commands/projects/credential-checks.js';
import type { StoreDeps } from '../../commands/stores/store-integration.js';
import { openDeps } from '../../main/open-deps.js';
import { openStores } from '../../main/open-stores.js';
import { sealEngine } from '../../main/personal-fields.js';
import type { OperatorRequest } from '../../projections/rebuild/operator-request.js';
import { Failure } from './outcome.js';
import { expectDataDirectory, mastersOf } from './open-for-reading.js';

const POLL_MS = 200;
/** Number of polls between liveness checks of the service, which polls twice a second but may be busy with a long request. */
const POLLS_PER_CHECK = 25;
const STOPPED = 'the service stopped before it responded; the request is processed when it starts again';

/** Runs `work` on the opened engine, or sends `request`. The result of `work` and the service's reply have the same shape. */
export async function onService<T>(
  config: Config,
  runtime: Runtime,
  request: OperatorRequest,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  if (!hasServers(config)) expectDataDirectory(config);
  let engine: Engine;
  try {
    engine = sealEngine(await openEngine(config, () => mastersOf(config), runtime), runtime);
  } catch (err) {
    if (err instanceof DirectoryInUse) return await askService<T>(config, runtime, request);
    throw err;
  }
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Throws {@link Failure} if the service that executes the work has stopped. On servers any process can execute it.
 */
export function expectService(config: Config): void {
  if (!hasServers(config))
    expectRunning(config.DATA_DIR, 'the service stopped; the work continues when it starts again');
}

/** Sends a request to the service that runs on the directory. Throws {@link Failure} if it refuses or is not running. */
export async function askService<T>({ DATA_DIR }: Config, runtime: Runtime, request: OperatorRequest): Promise<T> {
  const { requests } = openOperatorRequests(DATA_DIR);
  const id = runtime.newId('ask');
  await requests.submit(id, request).catch((err: unknown) => {
    throw dataDirectoryFault(DATA_DIR, err);
  });
  for (let polls = 1; ; polls++) {
    const reply = await requests.takeReply(id);
    if (reply && 'problem' in reply) throw new Failure(reply.problem);
    if (reply) return reply.result as T;
    if (polls % POLLS_PER_CHECK === 0) expectRunning(DATA_DIR, STOPPED);
    await runtime.sleep(POLL_MS);
  }
}

function expectRunning(dataDir: string, message: string): void {
  try {
    lockDirectory(dataDir)();
  } catch (err) {
    if (err instanceof DirectoryInUse) return;
    throw err;
  }
  throw new Failure(message);
}

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
