// Named copies of the charts: not there until they are whole, and gone on with after a cut.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { replaysInFiles } from '../../../src/adapters/replays/files.js';
import { replayMakingInFiles } from '../../../src/adapters/replays/making-in-files.js';
import { unfinishedFolder, unfinishedSize } from '../../../src/adapters/replays/unfinished.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import type { OpenReplay } from '../../../src/adapters/replays/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { keyedHash } from '../../../src/domain/ids.js';
import { copyBuilds, makeCopy } from '../../../src/projections/build/named-copy.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import {
  collectionOf,
  collectionsOf,
  type Build,
  type Projection,
} from '../../../src/projections/runtime/projection.js';
import { checkpointCollection } from '../../../src/projections/runtime/runner.js';
import { compareBuilds } from '../../../src/projections/build/compare-builds.js';
import { CHARTED_PROJECT, historiesLog } from '../../../bench/chart-histories.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T00:00:00Z');

describe('a named copy', () => {
  let dataDir: string;
  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'subledger-copy-'))));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  const log = historiesLog(200, NOW - 700 * DAY_MS, NOW);
  const deps = { log, hash: keyedHash(Buffer.alloc(32)), runtime: systemRuntime(() => NOW) };
  const builds = copyBuilds([customerHistories as unknown as Projection]);
  const key = { projectId: CHARTED_PROJECT, name: 'cut' };
  const terms = { ...key, until: {}, whatIf: {} };

  /** Cut once that share of the way is done; returns whether the copy is whole. */
  async function run(cutAt: number, { name } = key, ofLog: EventLog = log): Promise<boolean> {
    const cut = new AbortController();
    const making = replayMakingInFiles(dataDir);
    const onProgress = (done: number, total: number) => {
      if (done / total >= cutAt) cut.abort();
    };
    const made = making.make({ ...key, name }, async (docs) => {
      await makeCopy(
        { ...deps, log: ofLog },
        docs,
        builds,
        { ...terms, name },
        { signal: cut.signal, fingerprint: 'same', onProgress },
      );
    });
    return made.then(
      (end) => end === 'made',
      () => false,
    );
  }

  it('is not there before it is whole, goes on after a cut, and says what it took in', async () => {
    const replays = replaysInFiles(dataDir);
    expect(await run(0.4)).to.equal(false);
    expect(await replays.list(CHARTED_PROJECT)).to.deep.equal([]);
    expect(unfinishedSize(unfinishedFolder(dataDir, key))).to.be.greaterThan(0);
    expect(await run(2)).to.equal(true);
    const [copy] = await replays.list(CHARTED_PROJECT);
    expect(copy?.info).to.include({ name: 'cut', projectId: CHARTED_PROJECT, events: Number(await log.head()) });
    expect(copy?.sizeBytes).to.be.greaterThan(0);
    expect(await replays.list('proj_other')).to.deep.equal([]);
    await replays.close();
  });

  it('is the same where the log is folded event by event, also after a cut', async () => {
    const { at, ...inOrderAlone } = log;
    expect(at).to.not.equal(undefined);
    const replays = replaysInFiles(dataDir);
    expect(await run(2, { ...key, name: 'at-once' })).to.equal(true);
    expect(await run(0, { ...key, name: 'stepwise' }, inOrderAlone)).to.equal(false);
    expect(await run(2, { ...key, name: 'stepwise' }, inOrderAlone)).to.equal(true);
    const copies = await Promise.all(
      ['at-once', 'stepwise'].map(async (name) => {
        const copy = await replays.open(CHARTED_PROJECT, name);
        if (!copy) throw new Error(`${name} is not there`);
        await copy.docs.ensure([...builds.flatMap(collectionsOf), checkpointCollection]);
        return copy;
      }),
    );
    const [one, other] = copies as [OpenReplay, OpenReplay];
    expect(one.info.position).to.equal(other.info.position);
    const [build] = builds as [Build];
    const { docs } = one;
    const differences = await compareBuilds({ docs, build }, { docs: other.docs, build }, await log.head());
    expect(differences).to.deep.equal({ count: 0, ids: [] });
    expect((await docs.scan(collectionOf(build), { index: 'id', eq: [], limit: 1000 })).rows).to.have.length(200);
    await replays.close();
  });
});
