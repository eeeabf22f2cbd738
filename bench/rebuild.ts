// Benchmark of rebuilding all read models from the start of the log, compared with reading and decoding the same log.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFiles } from '../src/adapters/configuration/data-directory.js';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded/store.js';
import { openEngine, type Engine } from '../src/adapters/engine/engine.js';
import { createCodec } from '../src/adapters/event-log/codec.js';
import { ensureNamingKey } from '../src/adapters/engine/hash-key.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import type { MasterKeys } from '../src/adapters/keys/vault.js';
import { keyedHash } from '../src/domain/ids.js';
import { families } from '../src/domain/streams.js';
import { vocabulary } from '../src/domain/vocabulary.js';
import { buildInThread } from '../src/main/builds/build-thread.js';
import { buildFromStart } from '../src/projections/rebuild/rebuild.js';
import { projections } from '../src/projections/rebuild/registry.js';
import { atLeast, atMost, rate, type BenchRow } from './bench.js';
import { appendYearOfEvents } from './generated-log.js';
import { openBulkLog } from './bulk-log.js';

const never = new AbortController().signal;
/** Required share of the reading rate, up to {@link SUFFICIENT_RATE}. */
const MIN_READING_SHARE = 0.25;
const SUFFICIENT_RATE = 100_000;
const MAX_MB = 1024;
/** Batch size of a build, at which reading is fastest: larger batches survive a collection of young objects. */
const BATCH = 500;
const SAMPLE_INTERVAL_MS = 20;

/** With `long`, includes five million events, which takes tens of minutes and 20 GB of disk. */
export async function benchRebuild(short: boolean, long: boolean): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const sizes = short ? [20_000, 60_000] : [100_000, 500_000, ...(long ? [5_000_000] : [])];
  let first: number | undefined;
  for (const size of sizes) {
    const { events, read, built, mb } = await measure(size);
    const name = `${events.toLocaleString('en')} events`;
    const enough = Math.round(Math.min(SUFFICIENT_RATE, MIN_READING_SHARE * read.perS));
    rows.push(
      { name: `log read and decoded, ${name}`, value: read.perS, unit: 'per s' },
      atLeast(`all read models built, ${name}`, built.perS, enough, 'per s'),
      { name: `build rate : reading rate, ${name}`, value: built.perS / read.perS, unit: 'ratio' },
      { name: `processor time of reading, ${name}`, value: read.cpuUs, unit: 'us each' },
      { name: `processor time of building, all threads, ${name}`, value: built.cpuUs, unit: 'us each' },
      atMost(`memory while building, ${name}`, mb, MAX_MB, 'MB'),
    );
    if (first !== undefined) rows.push(atLeast(`build rate, ${name} : the first`, built.perS / first, 0.8, 'ratio'));
    first ??= built.perS;
  }
  return rows;
}

async function measure(size: number) {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const runtime = systemRuntime();
  const masters: MasterKeys = [{ id: 'k1', key: runtime.randomBytes(32) }];
  const open = () => openEngine({ DATA_DIR: directory }, () => masters, runtime);
  try {
    const events = await writeLog(await open(), dataFiles(directory).log, size);
    const engine = await open();
    try {
      const read = await measureTime(() => readAll(engine));
      globalThis.gc?.();
      let mb = usedMb();
      let looked = 0;
      const look = () => {
        if (performance.now() - looked < SAMPLE_INTERVAL_MS) return;
        looked = performance.now();
        mb = Math.max(mb, usedMb());
      };
      const hash = keyedHash(await ensureNamingKey(engine));
      const docs = await openEmbeddedDocuments({ file: join(directory, 'build.sqlite') });
      const built = await measureTime(async () => {
        const builds = projections.map((projection) => ({ projection, generation: 2 }));
        const elsewhere = engine.files && { elsewhere: buildInThread(engine.files, docs) };
        await buildFromStart({ log: engine.log, docs, hash, runtime: systemRuntime(), ...elsewhere }, builds, {
          signal: never,
          onProgress: look,
        });
        return events;
      });
      mb = Math.max(mb, usedMb());
      await docs.close();
      return { events, read, built, mb };
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Closes the engine, so that the log is read from the file afterwards, as after a restart. */
async function writeLog(engine: Engine, file: string, size: number): Promise<number> {
  const { dataKeys: keys } = engine;
  const { randomBytes } = systemRuntime();
  const log = openBulkLog(file, createCodec(vocabulary, { keys, randomBytes }));
  try {
    return await appendYearOfEvents(log, keyedHash(await ensureNamingKey(engine)), size);
  } finally {
    log.close();
    await engine.close();
  }
}

/** `cpuUs` is the processor time of all threads in microseconds per event. */
async function measureTime(work: () => Promise<number>): Promise<{ readonly perS: number; readonly cpuUs: number }> {
  const before = process.cpuUsage();
  let events = 0;
  const perS = await rate(async () => (events = await work()));
  const { user, system } = process.cpuUsage(before);
  return { perS, cpuUs: (user + system) / events };
}

/** Excludes mapped files, which the operating system can evict. */
function usedMb(): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

async function readAll({ log }: Engine): Promise<number> {
  let events = 0;
  for await (const feed of log.follow({ after: 'start', families, max: BATCH, signal: never })) {
    events += feed.events.length;
    if (feed.caughtUp) return events;
  }
  return events;
}
