// Start of the chart thread without a request.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import type { ChartThread } from '../../../src/main/charts/thread-client.js';
import { warmWhenNeeded } from '../../../src/main/charts/open-charts.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { collectionOf, collectionsOf, type Projection } from '../../../src/projections/runtime/projection.js';

const build = { projection: customerHistories as unknown as Projection, generation: 1 };
/** Fields that the collection is ordered by. */
const HISTORY = { projectId: 'proj', seenAt: 0, position: '1' };
const QUARTER_MS = 15 * 60_000;

describe('the chart thread, before the first request', () => {
  let directory: string;
  beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'warm-'))));
  let made: ChartThread | undefined;
  afterEach(async () => {
    await made?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** `slept`: what happens while it sleeps. */
  async function service(slept: (ms: number, signal?: AbortSignal) => Promise<void>) {
    const docs = createMemoryDocuments();
    await docs.ensure([servingCollection, ...collectionsOf(build)]);
    const readModels = createReadModels(docs, createServing(docs, systemRuntime()));
    const calls: string[] = [];
    let wasWarmed: () => void = () => undefined;
    const warmed = new Promise<void>((resolve) => (wasWarmed = resolve));
    const charts: ChartThread = {
      ask: () => Promise.reject(new Error('nobody asks here')),
      progress: () => Promise.resolve([]),
      warm: () => {
        calls.push('warm');
        wasWarmed();
      },
      close: () => Promise.resolve(void calls.push('close')),
    };
    const add = (from: number, to: number) => {
      const ids = Array.from({ length: to - from }, (_, n) => `cus_${from + n}`);
      const write = (id: string) => ({
        c: collectionOf(build),
        id,
        expect: null,
        guard: '1',
        doc: HISTORY,
      });
      return docs.write([ids.map(write)]);
    };
    const folder = join(directory, 'ledgers');
    const thread = warmWhenNeeded(charts, { readModels, runtime: { sleep: slept }, folder });
    made = thread;
    return { thread, calls, warmed, add, folder };
  }

  it('is started by the thousandth customer, looked for every quarter of an hour', async () => {
    const sleeps: number[] = [];
    const s = await service(async (ms) => {
      sleeps.push(ms);
      expect(s.calls).to.deep.equal([]);
      await s.add(997 + sleeps.length, 998 + sleeps.length);
    });
    await s.add(0, 998);
    s.thread.warm();
    await s.warmed;
    expect(sleeps).to.deep.equal([QUARTER_MS, QUARTER_MS]);
    expect(s.calls).to.deep.equal(['warm']);
  });

  it('is started at once by a snapshot, which a deleted project may have left', async () => {
    const s = await service(() => Promise.reject(new Error('it need not wait')));
    await mkdir(s.folder);
    await writeFile(join(s.folder, 'left.ledger'), '');
    s.thread.warm();
    await s.warmed;
    await s.thread.close();
    expect(s.calls).to.deep.equal(['warm', 'close']);
  });

  it('is not started by a service that closes while it waits', async () => {
    let isWaiting: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    const s = await service((ms, signal) => {
      isWaiting();
      return systemRuntime().sleep(ms, signal);
    });
    s.thread.warm();
    await waiting;
    await s.add(0, 1000);
    await s.thread.close();
    expect(s.calls).to.deep.equal(['close']);
  });
});
