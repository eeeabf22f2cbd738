// Authentication of notifications while the records are unavailable.
import { expect } from 'chai';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { sha256Of } from '../../../src/commands/accounts/api-key.js';
import { createStoreRecords } from '../../../src/commands/projects/store-records.js';
import { storeTokenCollection } from '../../../src/commands/projects/store-tokens.js';
import { BEGIN, memoryDeps } from '../support/memory-deps.js';

const known = { projectId: 'proj_1', appId: 'app_1', store: 'android-store' } as const;

async function rig() {
  const { deps, clock } = await memoryDeps();
  const id = sha256Of('a token');
  await deps.docs.write([[{ c: storeTokenCollection.name, id, expect: null, guard: '1', doc: known }]]);
  let isAway = false;
  const docs: DocStore = {
    ...deps.docs,
    get: async (c, ids) => {
      if (isAway) throw new Unavailable('away');
      return deps.docs.get(c, ids);
    },
  };
  const records = createStoreRecords({ ...deps, docs });
  return { records, clock, docs, goAway: () => void (isAway = true) };
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (err: unknown) => err,
  );
}

describe('records that notifications need', () => {
  it('are the last read ones while they are unavailable, also for an app without any', async () => {
    const { records, clock, goAway } = await rig();
    await records.token('a token');
    await records.credentials('app_1');
    goAway();
    clock.set('2026-11-20T10:01:00.000Z');
    expect(await records.token('a token')).to.deep.equal(known);
    expect(await records.credentials('app_1')).to.equal(null);
  });

  it('are not guessed: neither for what was never read nor for an unknown token', async () => {
    const { records, goAway } = await rig();
    await records.token('another token');
    goAway();
    for (const token of ['a token', 'another token']) {
      expect(await refusal(records.token(token))).to.be.instanceOf(Unavailable);
    }
  });

  it('are looked up once a second for a token, however many notifications come with it', async () => {
    const { records, clock, docs } = await rig();
    clock.set(BEGIN);
    await records.token('a token');
    const id = sha256Of('a token');
    await docs.write([[{ c: storeTokenCollection.name, id, expect: '1', guard: '2', doc: null }]]);
    clock.set('2026-11-20T10:00:00.999Z');
    expect(await records.token('a token')).to.deep.equal(known);
    clock.set('2026-11-20T10:00:01.000Z');
    expect(await records.token('a token')).to.equal(null);
  });

  it('stand in for a day', async () => {
    const { records, clock, goAway } = await rig();
    clock.set(BEGIN);
    await records.token('a token');
    goAway();
    clock.set('2026-11-21T10:00:00.000Z');
    expect(await refusal(records.token('a token'))).to.be.instanceOf(Unavailable);
  });

  it('are there for every app that there was when they were last learned, though none of it had sent anything', async () => {
    const { records, goAway } = await rig();
    await records.preload();
    goAway();
    expect(await records.token('a token')).to.deep.equal(known);
    expect(await records.credentials('app_1')).to.equal(null);
  });
});
