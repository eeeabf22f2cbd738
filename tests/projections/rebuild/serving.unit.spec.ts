// Reads go to the build that is served.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { buildFromStart } from '../../../src/projections/rebuild/rebuild.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { customers, type CustomerDoc, type TermDoc } from '../../../src/projections/models/customers.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';
import { firstBuild, hash, never } from '../support/builds.js';
import { history } from '../support/history.js';

const projection = customers as Projection;
/** Code that counts a little more with every event. */
const generous: Projection = {
  ...projection,
  fold: (doc, event, id) => {
    const next = projection.fold(doc, event, id, () => undefined);
    return next && { ...next, spentMicros: Number(next['spentMicros']) + 1 };
  },
};

describe('reads', () => {
  it('go to the new build as soon as it is served, and elsewhere a second later', async () => {
    const { log, projectId } = await history();
    const docs = createMemoryDocuments();
    await docs.ensure([servingCollection]);
    const { runtime, clock } = fakeRuntime();
    const [here, there] = [createServing(docs, runtime), createServing(docs, runtime)];
    await buildFromStart({ log, docs, hash, runtime }, [firstBuild(projection)], { signal: never });
    const [mine, others] = [createReadModels(docs, here), createReadModels(docs, there)];
    const page = await mine.scanDerived<TermDoc>(projection, 'customer_terms', {
      index: 'term',
      eq: [projectId, 'appUserId', 'ann'],
      limit: 1,
    });
    const id = page.rows[0]?.doc.customerId ?? '';
    const spent = async (readModels: typeof mine) =>
      (await readModels.get<CustomerDoc>(customers, id))?.spentMicros ?? 0;
    const before = await spent(others);
    expect(before).to.be.greaterThan(0);
    await buildFromStart({ log, docs, hash, runtime }, [{ projection: generous, generation: 2 }], { signal: never });
    expect(await here.move(projection, 1, 2)).to.equal(true);
    expect([(await spent(mine)) > before, await spent(others)]).to.deep.equal([true, before]);
    clock.set('2026-11-20T10:00:01.000Z');
    expect(await spent(others)).to.equal(await spent(mine));
  });

  it('go over once when two want to move them from the same build', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([servingCollection]);
    const { runtime } = fakeRuntime();
    const [here, there] = [createServing(docs, runtime), createServing(docs, runtime)];
    const moved = await Promise.all([here.move(projection, 1, 2), there.move(projection, 1, 3)]);
    expect([...moved].sort()).to.deep.equal([false, true]);
    const { generation } = await createServing(docs, runtime).build(projection);
    expect(generation).to.equal(moved[0] ? 2 : 3);
  });

  it('refuse documents that a projection does not have', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([servingCollection]);
    const serving = createServing(docs, fakeRuntime().runtime);
    const outcome = await serving.collection(projection, 'terms').catch((err: unknown) => String(err));
    expect(outcome).to.include('customers has no documents named terms');
  });
});
