// A sealed secret opens for whom it was sealed: moved to another tenant, app or field by somebody who can write records, it does not.
import { expect } from 'chai';
import { createMemoryDocuments } from '../documents/memory.js';
import { createDataKeys, dataKeyCollection } from '../../../src/adapters/keys/vault.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { openForApp, sealForApp } from '../../../src/commands/projects/app-secrets.js';
import { issueSecret, openSigningKeys, webhookSecretCollection } from '../../../src/commands/webhooks/secrets.js';
import { CannotOpen } from '../../../src/domain/errors.js';

const OWN = { projectId: 'proj_a', appId: 'app_a' };

describe('a sealed secret that is moved', () => {
  const open = async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([dataKeyCollection, webhookSecretCollection]);
    const runtime = systemRuntime();
    return { docs, runtime, dataKeys: createDataKeys(docs, [{ id: 'k1', key: Buffer.alloc(32, 1) }], runtime) };
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'opened',
      (err: unknown) => err,
    );

  for (const [what, ref, field] of [
    ['project', { projectId: 'proj_b', appId: 'app_a' }, 'privateKey'],
    ['app', { projectId: 'proj_a', appId: 'app_b' }, 'privateKey'],
    ['field', OWN, 'serviceAccount'],
  ] as const) {
    it(`to another ${what} does not open`, async () => {
      const deps = await open();
      const sealed = await sealForApp(deps, OWN, 'privateKey', 'a key of a store');
      expect(await openForApp(deps, OWN, 'privateKey', sealed)).to.equal('a key of a store');
      // The other one has a key of its own by now.
      await sealForApp(deps, ref, field, 'another');
      expect(await failure(openForApp(deps, ref, field, sealed))).to.be.instanceOf(CannotOpen);
    });
  }

  it('from a webhook to one of another project does not sign there', async () => {
    const deps = await open();
    const [own, other] = [
      { projectId: 'proj_a', webhookId: 'wh_a' },
      { projectId: 'proj_b', webhookId: 'wh_b' },
    ];
    const { secret } = await issueSecret(deps, own, 'Bearer of the one');
    await issueSecret(deps, other, null);
    const { name: c } = webhookSecretCollection;
    const [from, to] = [await deps.docs.get(c, ['wh_a']), await deps.docs.get(c, ['wh_b'])];
    const doc = { ...from.get('wh_a')?.doc, projectId: other.projectId };
    await deps.docs.write([[{ c, id: 'wh_b', expect: to.get('wh_b')?.guard ?? null, guard: '9', doc }]]);
    expect((await openSigningKeys(deps, own))?.secrets).to.deep.equal([secret]);
    expect(await failure(openSigningKeys(deps, other))).to.be.instanceOf(CannotOpen);
    expect(await openSigningKeys(deps, { ...own, projectId: 'proj_b' })).to.equal(null);
  });
});
