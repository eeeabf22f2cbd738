// Building all read models anew sends nothing: what is sent goes by records that no rebuild can name.
import { expect } from 'chai';
import { projections } from '../../../src/projections/rebuild/registry.js';
import { buildFromStart } from '../../../src/projections/rebuild/rebuild.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { createHooks } from './rig.js';

describe('a rebuild of all read models', () => {
  it('sends nothing', async () => {
    const hooks = await createHooks();
    const { deps } = hooks;
    for (let i = 0; i < 5; i++) await hooks.make({ url: `https://hooks.example.com/${i}` });
    const o = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
    for (let i = 0; i < 40; i++) await grantPromotional(deps, hooks.by(), hooks.projectId, `user${i % 9}`, o);
    await hooks.play();
    const sent = hooks.receiver.arrived.length;
    expect(sent).to.be.at.least(200);
    const before = await hooks.all();
    await deps.docs.ensure([servingCollection]);
    const serving = createServing(deps.docs, deps.runtime);
    const { signal } = new AbortController();
    const served = await Promise.all(projections.map((p) => serving.build(p)));
    const fresh = served.map((build) => ({ ...build, generation: build.generation + 1 }));
    await buildFromStart(deps, fresh, { signal });
    for (const { projection, generation } of fresh) await serving.move(projection, generation - 1, generation);
    await hooks.play();
    expect([hooks.receiver.arrived.length, await hooks.all()]).to.deep.equal([sent, before]);
  });
});
