// The document stores that need nothing but this process, and what only they promise.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  openEmbeddedDocuments,
  openEmbeddedDocumentsForReading,
  type EmbeddedDocuments,
} from '../../../src/adapters/documents/embedded/store.js';
import { createMemoryDocuments } from './memory.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { documentsContract } from '../../contract/documents.js';
import { CUSTOMERS, insert } from '../../contract/opened-documents.js';

const newDirectory = () => mkdtempSync(join(tmpdir(), 'documents-'));

documentsContract('embedded', async () => {
  const directory = newDirectory();
  const file = join(directory, 'documents.sqlite');
  let open = await openEmbeddedDocuments({ file });
  return {
    get store() {
      return open;
    },
    reopen: async () => {
      await open.close();
      open = await openEmbeddedDocuments({ file });
    },
    close: async () => {
      await open.close();
      rmSync(directory, { recursive: true });
    },
  };
});

documentsContract('memory', async () => {
  const store = createMemoryDocuments();
  return { store, reopen: async () => undefined, close: async () => undefined };
});

describe('memory document store', () => {
  it('can be cut before every single write', async () => {
    for (let cut = 0; cut < 4; cut++) {
      let done = 0;
      const store = createMemoryDocuments({
        onWrite: () => {
          if (done++ === cut) throw new Error('cut');
        },
      });
      await store.ensure([CUSTOMERS]);
      const result = await store.write([[insert('a'), insert('b')], [insert('c')]]).catch((err: Error) => err.message);
      expect(result).to.equal(cut < 3 ? 'cut' : 'ok');
      expect([...(await store.get('customers', ['a', 'b', 'c'])).keys()].join('')).to.equal('abc'.slice(0, cut));
    }
  });
});

describe('embedded document store', () => {
  let directory: string;
  let file: string;
  let store: EmbeddedDocuments;
  beforeEach(async () => {
    directory = newDirectory();
    file = join(directory, 'documents.sqlite');
    store = await openEmbeddedDocuments({ file });
    await store.ensure([CUSTOMERS]);
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });

  it('takes back every stage of a lost write', async () => {
    await store.write([[insert('b')]]);
    expect(await store.write([[insert('a')], [insert('b')]])).to.equal('lost');
    expect((await store.get('customers', ['a'])).size).to.equal(0);
  });
  it('can be read concurrently with the writer', async () => {
    const reader = openEmbeddedDocumentsForReading({ file });
    await reader.ensure([CUSTOMERS]);
    await store.write([[insert('a', { dueAt: '1' })]]);
    expect((await reader.get('customers', ['a'])).size).to.equal(1);
    expect((await reader.scan('customers', { index: 'byDueAt', eq: ['1'], limit: 1 })).rows).to.have.length(1);
    expect(await reader.write([[insert('b')]]).catch((err: unknown) => err)).to.be.instanceOf(Error);
    const missing = await reader.ensure([{ name: 'accounts', indexes: [] }]).catch((err: unknown) => err);
    expect(missing).to.be.instanceOf(Unavailable);
    await reader.close();
  });
  it('rejects a new index that an old document has no field for, and continues as before', async () => {
    await store.write([[insert('a')]]);
    const wider = { name: 'customers', indexes: [{ name: 'byPlan', fields: ['plan'] }] };
    const refused = await store.ensure([wider]).catch((err: unknown) => err);
    expect(refused).to.be.instanceOf(Error).and.not.instanceOf(Unavailable);
    expect(await store.write([[insert('b')]])).to.equal('ok');
    expect((await store.scan('customers', { index: 'byStatus', eq: ['active'], limit: 9 })).rows).to.have.length(2);
  });
  it('lists current documents by an index that was missing for a while', async () => {
    await store.write([[insert('a', { dueAt: '1' }), insert('b', { dueAt: '1' }), insert('c', { dueAt: '1' })]]);
    await store.close();
    store = await openEmbeddedDocuments({ file });
    await store.ensure([{ name: 'customers', indexes: [] }]);
    const update = { expect: '1', guard: '2' };
    await store.write([
      [
        { ...insert('a', { dueAt: '2' }), ...update },
        { ...insert('b'), ...update, doc: null },
      ],
    ]);
    await store.ensure([CUSTOMERS]);
    const { rows } = await store.scan('customers', { index: 'byDueAt', eq: [], limit: 9 });
    expect(rows.map(({ id, doc }) => `${id}${String(doc['dueAt'])}`)).to.deep.equal(['c1', 'a2']);
  });
  it('keeps a document of any depth', async () => {
    const depth = 1500;
    const deep: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    await store.write([[insert('a', { deep: deep as [] })]]);
    await store.ensure([{ name: 'customers', indexes: [{ name: 'again', fields: ['dueAt', 'status'] }] }]);
    expect((await store.get('customers', ['a'])).get('a')?.doc?.['deep']).to.deep.equal(deep);
  });
  it('refuses work on a collection that was dropped', async () => {
    await store.drop('customers');
    for (const work of [store.get('customers', ['a']), store.write([[insert('a')]])]) {
      expect(await work.catch((err: unknown) => err))
        .to.be.instanceOf(Error)
        .and.not.instanceOf(Unavailable);
    }
  });
});
