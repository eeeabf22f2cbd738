// Two builds agree when their documents are equal, however these were made.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { Doc, DocStore } from '../../../src/adapters/documents/port.js';
import { compareBuilds } from '../../../src/projections/rebuild/rebuild.js';
import { collectionOf, collectionsOf, type Build } from '../../../src/projections/runtime/projection.js';
import { charges } from '../support/day-sums.js';
import { firstBuild } from '../support/builds.js';

const first = firstBuild(charges);
const second: Build = { ...first, generation: 2 };

async function put(docs: DocStore, build: Build, doc: Doc): Promise<void> {
  await docs.ensure(collectionsOf(build));
  await docs.write([[{ c: collectionOf(build, 'month_sums'), id: '2026-01', expect: null, guard: '1', doc }]]);
}

describe('two builds compared', () => {
  it('agree on a sum whose cells were added in another order', async () => {
    const docs = createMemoryDocuments();
    await put(docs, first, { month: '2026-01', cells: { '2026-01-05': 7, '2026-01-02': 3 } });
    await put(docs, second, { month: '2026-01', cells: { '2026-01-02': 3, '2026-01-05': 7 } });
    expect(await compareBuilds({ docs, build: first }, { docs, build: second })).to.deep.equal({ count: 0, ids: [] });
  });

  it('differ where a cell does', async () => {
    const docs = createMemoryDocuments();
    await put(docs, first, { month: '2026-01', cells: { '2026-01-05': 7 } });
    await put(docs, second, { month: '2026-01', cells: { '2026-01-05': 8 } });
    const { count, ids } = await compareBuilds({ docs, build: first }, { docs, build: second });
    expect([count, ids]).to.deep.equal([1, ['2026-01']]);
  });

  it('differ in all of what is counted, of which a hundred are named', async () => {
    const docs = createMemoryDocuments();
    for (const [build, count] of [
      [first, 1000],
      [second, 1205],
    ] as const) {
      await docs.ensure(collectionsOf(build));
      const ids = Array.from({ length: count }, (_, i) => `cus_${String(i).padStart(4, '0')}`);
      await docs.write([ids.map((id) => ({ c: collectionOf(build), id, expect: null, guard: '1', doc: {} }))]);
    }
    const { count, ids } = await compareBuilds({ docs, build: first }, { docs, build: second });
    expect([count, ids.length, ids[0], ids.at(-1)]).to.deep.equal([205, 100, 'cus_1000', 'cus_1099']);
  });
});
