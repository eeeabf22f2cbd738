// How fast all read models are built again from the start of the log, beside the rate at which the same log is read and decoded.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded.js';
import { openEngine, type Engine } from '../src/adapters/engine.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { keyedHash } from '../src/domain/ids.js';
import { families } from '../src/domain/streams.js';
import { bulkBuild } from '../src/projections/bulk-build.js';
import { projections } from '../src/projections/registry.js';
import { atLeast, rate, type BenchRow } from './bench.js';
import { liveLog } from './lived-log.js';

const never = new AbortController().signal;
/** A quarter of the rate of reading, or 100,000/s where that is less. */
const SHARE_OF_READING = 0.25;
const ENOUGH_PER_S = 100_000;
const MOST_MB = 1024;

export async function benchRebuild(short: boolean): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const rates: number[] = [];
  for (const size of short ? [20_000, 60_000] : [100_000, 500_000]) {
    const { events, read, built, mb } = await measure(size);
    rates.push(built);
    const name = `${events.toLocaleString('en')} events`;
    rows.push({ name: `log read and decoded, ${name}`, value: read, unit: 'per s' });
    rows.push(
      atLeast(
        `all read models built, ${name}`,
        built,
        Math.round(Math.min(ENOUGH_PER_S, SHARE_OF_READING * read)),
        'per s',
      ),
    );
    rows.push({
      name: `memory while building, ${name}`,
      value: mb,
      unit: 'MB',
      target: `<= ${MOST_MB}`,
      ok: mb <= MOST_MB,
    });
  }
  const [small = 1, large = 0] = rates;
  return [...rows, atLeast('build rate, five times the log : the log', large / small, 0.8, 'ratio')];
}

async function measure(size: number) {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const runtime = systemRuntime();
  const engine = await openEngine({ DATA_DIR: directory }, () => [{ id: 'k1', key: runtime.randomBytes(32) }], runtime);
  try {
    const events = await liveLog(engine.log, keyedHash(runtime.randomBytes(32)), size);
    const read = await rate(() => readAll(engine));
    globalThis.gc?.();
    let mb = 0;
    const look = () => (mb = Math.max(mb, heldMb()));
    const docs = await openEmbeddedDocuments({ file: join(directory, 'build.sqlite') });
    const built = await rate(async () => {
      const builds = projections.map((projection) => ({ projection, generation: 2 }));
      await bulkBuild({ log: engine.log, docs }, builds, { signal: never, onProgress: look });
      return events;
    });
    look();
    await docs.close();
    return { events, read, built, mb };
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Without the pages of files that are mapped: those are the system's to take back. */
function heldMb(): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

async function readAll({ log }: Engine): Promise<number> {
  let events = 0;
  for await (const feed of log.follow({ after: 'start', families, max: 5000, signal: never })) {
    events += feed.events.length;
    if (feed.caughtUp) return events;
  }
  return events;
}
