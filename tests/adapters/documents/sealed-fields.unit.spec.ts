// Personal fields of documents: in clear for whoever reads them through the store, unreadable beneath it, gone with the key.
import { expect } from 'chai';
import { createMemoryDocuments } from './memory.js';
import { buildInsertion, readRecord } from '../../../src/adapters/documents/records.js';
import type { Doc, DocStore } from '../../../src/adapters/documents/port.js';
import { sealDocuments, type PersonalFields } from '../../../src/adapters/documents/sealed-fields.js';
import { createDataKeys, dataKeyCollection } from '../../../src/adapters/keys/vault.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';

const c = 'people_v3_g1';
const spec = { name: c, indexes: [{ name: 'project', fields: ['projectId'] }] };
const masters = [{ id: 'k1', key: Buffer.alloc(32, 1) }] as const;
const SECRET = 'ann@example.com';

const personal: PersonalFields = (doc, replace) =>
  doc['email'] === undefined
    ? doc
    : { ...doc, email: replace(String(doc['who']), 'email', doc['email']) ?? 'nobody knows' };

describe('sealed fields', () => {
  let beneath: DocStore;
  const runtime = systemRuntime();
  const keysOn = (docs: DocStore, isAlone: boolean) => createDataKeys(docs, masters, runtime, { isAlone });
  const open = (isAlone = false) => {
    const keys = keysOn(beneath, isAlone);
    const sealing = { keys, isAlone, randomBytes: (size: number) => runtime.randomBytes(size) };
    return { keys, docs: sealDocuments(beneath, sealing, new Map([['people', personal]])) };
  };
  const ann: Doc = { projectId: 'p', who: 'cus_ann', email: SECRET, n: 1 };
  beforeEach(async () => {
    beneath = createMemoryDocuments();
    await beneath.ensure([spec, dataKeyCollection]);
  });
  const stored = async () => JSON.stringify([...(await beneath.get(c, ['ann', 'bob']))]);

  it('are read as they were written, by id and by a scan, and stand in clear nowhere beneath', async () => {
    const { keys, docs } = open();
    await keys.forSealing('cus_ann');
    await docs.write([[buildInsertion(c, 'ann', ann)]]);
    expect((await docs.get(c, ['ann'])).get('ann')?.doc).to.deep.equal(ann);
    const { rows } = await docs.scan(c, { index: 'project', eq: ['p'], limit: 10 });
    expect(rows.map(({ doc }) => doc)).to.deep.equal([ann]);
    expect(await stored())
      .to.include('$sealed')
      .and.not.to.include(SECRET);
  });

  it('are gone from every document once the key is, and from copies taken before', async () => {
    const { keys, docs } = open();
    await keys.forSealing('cus_ann');
    await docs.write([[buildInsertion(c, 'ann', ann)]]);
    const copy = createMemoryDocuments();
    await copy.ensure([spec, dataKeyCollection]);
    for (const [id, { guard, doc }] of await beneath.get(c, ['ann']))
      await copy.write([[{ c, id, guard, doc, expect: null }]]);
    await keys.erase('cus_ann', (await keys.rotate('cus_ann')) ?? '');
    expect((await docs.get(c, ['ann'])).get('ann')?.doc).to.deep.equal({ ...ann, email: 'nobody knows' });
    const sealing = { keys, isAlone: false, randomBytes: (size: number) => runtime.randomBytes(size) };
    const read = await readRecord(sealDocuments(copy, sealing, new Map([['people', personal]])), c, 'ann');
    expect(read.doc).to.deep.equal({ ...ann, email: 'nobody knows' });
  });

  it('cannot be decrypted in another customer’s document', async () => {
    const { keys, docs } = open();
    for (const who of ['cus_ann', 'cus_bob']) await keys.forSealing(who);
    await docs.write([[buildInsertion(c, 'ann', ann)]]);
    const { doc } = await readRecord(beneath, c, 'ann');
    await beneath.write([[buildInsertion(c, 'bob', { ...doc, who: 'cus_bob' })]]);
    expect((await readRecord(docs, c, 'bob')).doc).to.include({ email: 'nobody knows' });
  });

  it('are sealed with the key that another process has made since, and opened there and here', async () => {
    const [here, there] = [open(), open()];
    await here.keys.forSealing('cus_ann');
    const name = await there.keys.rotate('cus_ann');
    await there.keys.erase('cus_ann', name ?? '');
    await here.docs.write([[buildInsertion(c, 'ann', ann)]]);
    for (const { docs } of [here, there]) expect((await readRecord(docs, c, 'ann')).doc).to.deep.equal(ann);
  });

  it('of who has no key stay in clear: nothing of theirs is sealed in the log either', async () => {
    const { docs } = open();
    await docs.write([[buildInsertion(c, 'ann', ann)]]);
    expect((await readRecord(beneath, c, 'ann')).doc).to.deep.equal(ann);
    expect((await readRecord(docs, c, 'ann')).doc).to.deep.equal(ann);
  });

  it('leave documents of other collections, tombstones and what is missing alone', async () => {
    const { docs } = open();
    await docs.ensure([{ name: 'others', indexes: [] }]);
    const other = { who: 'cus_ann', email: SECRET };
    await docs.write([[buildInsertion('others', 'x', other)], [{ c, id: 'bob', expect: null, guard: '1', doc: null }]]);
    expect((await docs.get('others', ['x', 'y'])).get('x')?.doc).to.deep.equal(other);
    expect((await docs.get(c, ['bob', 'nobody'])).get('bob')).to.deep.equal({ guard: '1', doc: null });
  });
});
