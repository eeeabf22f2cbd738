// Opens the data of a running or stopped service for commands that only read.
import { accessSync, constants, statSync, type Stats } from 'node:fs';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import { dataDirectoryFault } from '../../adapters/configuration/data-directory.js';
import { WrongConfiguration } from '../../adapters/configuration/wrong-configuration.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { hasServers, openEngineForReading, type Engine } from '../../adapters/engine/engine.js';
import { readNamingKey } from '../../adapters/engine/hash-key.js';
import { readMasterKeys, masterKeyFile } from '../../adapters/keys/secrets.js';
import { dataKeyCollection, type MasterKeys } from '../../adapters/keys/vault.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { keyedHash, type KeyedHash } from '../../domain/ids.js';
import { sealEngine } from '../../main/personal-fields.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { projects, type ProjectDoc } from '../../projections/models/projects.js';
import { createReadModels, type ReadModels } from '../../projections/queries/read-models.js';
import { createServing, servingCollection } from '../../projections/rebuild/serving.js';
import { collectionsOf, type Projection } from '../../projections/runtime/projection.js';
import { progressCollection, readPublished } from '../../projections/runtime/shared-progress.js';
import { Failure } from './outcome.js';

export type ReadOnlyData = Pick<Engine, 'log' | 'docs' | 'dataKeys' | 'files'> & {
  readonly hash: KeyedHash;
  close(): Promise<void>;
};

/** Throws `WrongConfiguration`, `CannotOpen`, and {@link Failure} when there is nothing to read yet. */
export async function openForReading(env: Readonly<Record<string, string | undefined>>): Promise<ReadOnlyData> {
  const config = readConfig(env);
  const { DATA_DIR } = config;
  const isInFiles = !hasServers(config);
  if (isInFiles) expectDataDirectory(config);
  const runtime = systemRuntime();
  const opened = await openEngineForReading(config, mastersOf(config), runtime).catch((err: unknown) => {
    throw dataDirectoryFault(DATA_DIR, err);
  });
  const engine = sealEngine(opened, runtime);
  const { log, docs, dataKeys, close } = engine;
  try {
    await docs.ensure([dataKeyCollection]);
    const key = await readNamingKey(dataKeys);
    if (!key) {
      const place = isInFiles ? `DATA_DIR ${DATA_DIR} contains` : 'EVENTSTORE_NAMESPACE and MONGODB_URL contain';
      throw new Failure(`${place} no data yet; start the service once`);
    }
    return { log, docs, dataKeys, files: engine.files, hash: keyedHash(key), close };
  } catch (err) {
    await close();
    throw err;
  }
}

/** Runs the work with the data of the configuration, and closes it. Throws what {@link openForReading} throws. */
export async function withReading<T>(work: (data: ReadOnlyData) => Promise<T>): Promise<T> {
  const data = await openForReading(process.env);
  try {
    return await work(data);
  } finally {
    await data.close();
  }
}

/** Throws {@link Failure} if `DATA_DIR` does not exist, and `WrongConfiguration` if it is a file. */
export function expectDataDirectory({ DATA_DIR }: Config): void {
  let state: Stats | undefined;
  try {
    state = statSync(DATA_DIR, { throwIfNoEntry: false });
    if (state?.isDirectory()) return accessSync(DATA_DIR, constants.R_OK | constants.X_OK);
  } catch (err) {
    throw dataDirectoryFault(DATA_DIR, err);
  }
  if (!state) throw new Failure(`DATA_DIR ${DATA_DIR} does not exist; set it to the data directory of the service`);
  throw new WrongConfiguration([`DATA_DIR: ${DATA_DIR} is a file; set it to the data directory of the service`]);
}

/** Throws `WrongConfiguration` if there is no master key. */
export function mastersOf(config: Config): MasterKeys {
  const existing = readMasterKeys(config);
  if (existing) return existing;
  const file = masterKeyFile(config);
  throw new WrongConfiguration([
    `MASTER_KEY: is not set, and there is no ${file}; put the key of this data there, or set MASTER_KEY`,
  ]);
}

/** Opens the read models, which the documents must contain. */
export async function openReadModels(docs: DocStore, models: readonly Projection[]): Promise<ReadModels> {
  await docs.ensure([servingCollection]);
  const serving = createServing(docs, systemRuntime());
  for (const model of models) await docs.ensure(collectionsOf(await serving.build(model)));
  return createReadModels(docs, serving);
}

/**
 * Opens the charts' read models and `others`. Throws {@link Failure} if the charts have stopped, because what a command writes cannot show
 * that it is stale.
 */
export async function openChartReadModels(docs: DocStore, others: readonly Projection[] = []): Promise<ReadModels> {
  const readModels = await openReadModels(docs, [customerHistories, projects, ...others]);
  await docs.ensure([progressCollection]);
  if (!(await readPublished(docs))?.halted.includes(customerHistories.name)) return readModels;
  throw new Failure('the charts have stopped at an event that cannot be read; run subledger doctor for the cause');
}

/** Throws {@link Failure} for an unknown project. */
export async function requireProject(readModels: ReadModels, projectId: string): Promise<ProjectDoc> {
  const project = await readModels.get(projects, projectId);
  if (project) return project;
  throw new Failure(`project ${projectId} not found; GET /v1/projects lists the ids of your projects`);
}
