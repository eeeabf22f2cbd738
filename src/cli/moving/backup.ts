// `subledger backup DIR`: copies the data directory next to the running service, so that a service can start on the copy.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import { dataFiles, storedSecrets, createPrivateFile } from '../../adapters/configuration/data-directory.js';
import { openEngineForReading } from '../../adapters/engine/engine.js';
import { rawCodec } from '../../adapters/event-log/codec.js';
import { masterKeyFile } from '../../adapters/keys/secrets.js';
import { readNamingKey } from '../../adapters/engine/hash-key.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { copyAtOneInstant, syncPath } from '../../adapters/sqlite/copy.js';
import { checkFile } from '../../adapters/sqlite/database.js';
import { checkHasData } from '../../adapters/engine/data-completeness.js';
import { checkLogIdentity } from '../../main/check-log-identity.js';
import { projections } from '../../projections/rebuild/registry.js';
import { createServing } from '../../projections/rebuild/serving.js';
import { Failure } from '../support/outcome.js';
import { mastersOf } from '../support/open-for-reading.js';
import { expectFolder, writingTo, type PathArgument } from '../support/arguments.js';
import { startProgressBar } from '../support/progress-bar.js';
import { ephemeralCollections } from '../../workers/coordination/collections.js';
import { eventsOf, movedCollections, soundEvents } from './moving.js';

/** Folder of an incomplete copy, so that no service starts on it by mistake. */
const UNFINISHED = 'unfinished';

export async function backupTo(directory: string, o: { readonly withKeys?: true }): Promise<void> {
  const config = readConfig(process.env);
  expectFiles(config);
  const work = await writingTo(argumentOf(directory), async () => claim(directory));
  try {
    const events = await writingTo(argumentOf(directory), () => copyTo(directory, work, config, o));
    process.stdout.write(`${events} events and their documents copied to ${directory}\n`);
  } catch (err) {
    rmSync(work, { recursive: true, force: true });
    throw err;
  }
  process.stdout.write(`${keysNote(config, o.withKeys === true)}\n`);
}

async function copyTo(
  directory: string,
  work: string,
  config: Config,
  o: { readonly withKeys?: true },
): Promise<number> {
  await copyData(config, work);
  const events = await checkCopy(config, work);
  if (o.withKeys) copyKeys(config, work);
  publish(work, directory);
  return events;
}

function argumentOf(directory: string): PathArgument {
  return { name: 'DIR', path: directory, cure: 'give a new or empty directory that this user may write to' };
}

function expectFiles(config: Config): void {
  if (config.EVENTSTORE_URL !== undefined || config.MONGODB_URL !== undefined) {
    throw new Failure(
      'backup supports only installations in files; back up servers with their own tools, MongoDB first, then EventStoreDB',
    );
  }
  checkHasData(config);
}

/** Creates the directory, or uses an empty one, and returns the working folder in it. */
function claim(directory: string): string {
  const names = expectFolder(argumentOf(directory));
  if (names.length > 0) throw new Failure(`DIR ${directory} is not empty; give a new or empty directory`);
  const work = join(directory, UNFINISHED);
  mkdirSync(work, { mode: 0o700 });
  return work;
}

async function copyData({ DATA_DIR }: Config, work: string): Promise<void> {
  const [from, to] = [dataFiles(DATA_DIR), dataFiles(work)];
  const copies = [
    { from: from.documents, to: to.documents },
    { from: from.log, to: to.log },
  ];
  const bars = new Map<string, ReturnType<typeof startProgressBar>>();
  await copyAtOneInstant(copies, (copy, done, all) => {
    const bar = bars.get(copy.to) ?? startProgressBar(basename(copy.to), all, 'pages');
    bars.set(copy.to, bar);
    bar.reach(done, all);
  }).finally(() => bars.forEach((bar) => bar.stop()));
}

/** Reads the whole copy like a service that starts on it. Returns the number of events. */
async function checkCopy(config: Config, work: string): Promise<number> {
  Object.values(dataFiles(work)).forEach(checkFile);
  const runtime = systemRuntime();
  const copied = { ...config, DATA_DIR: work };
  const { log, docs, dataKeys, close } = await openEngineForReading(copied, mastersOf(config), runtime, () => rawCodec);
  try {
    await docs.ensure([...movedCollections, ...ephemeralCollections]);
    if (!(await readNamingKey(dataKeys))) throw new Failure(`DATA_DIR ${config.DATA_DIR} contains no data yet`);
    await checkLogIdentity({ log, docs, serving: createServing(docs, runtime) }, projections);
    let events = 0;
    for await (const event of soundEvents(eventsOf(log))) if (event) events += 1;
    return events;
  } finally {
    await close();
  }
}

function copyKeys({ DATA_DIR }: Config, work: string): void {
  for (const { file } of storedSecrets) {
    const [from, to] = [join(DATA_DIR, file), join(work, file)];
    if (!existsSync(from)) continue;
    createPrivateFile(to);
    copyFileSync(from, to);
    syncPath(to);
  }
}

/** Renames the documents last, because a service refuses to start on a log alone. */
function publish(work: string, directory: string): void {
  const last = basename(dataFiles(work).documents);
  for (const name of [...readdirSync(work).filter((n) => n !== last), last]) {
    renameSync(join(work, name), join(directory, name));
  }
  rmdirSync(work);
  syncPath(directory);
}

function keysNote(config: Config, isWithKeys: boolean): string {
  if (config.MASTER_KEY)
    return 'MASTER_KEY comes from the environment and is not in the copy: store it in another place.';
  if (isWithKeys) return 'The copy contains master.key: anyone with the copy can read all of its data.';
  return `The copy cannot be read without ${masterKeyFile(config)}: store a copy of that file in another place.`;
}
