// Contract of the record helpers on each store: guarded sequential changes, complete paging.
import { expect } from 'chai';
import type { Doc, DocStore } from '../../src/adapters/documents/port.js';
import {
  scanPages,
  createRecord,
  buildInsertion,
  readRecord,
  removeMatching,
  removeRecord,
  replaceRecord,
  updateRecord,
} from '../../src/adapters/documents/records.js';
import { Unavailable } from '../../src/domain/errors.js';
import { insert, type OpenedDocuments } from './opened-documents.js';

const c = 'customers';
const counted = (n: number): Doc => ({ status: 'active', dueAt: '', n });
const next = (doc: Doc | null): Doc => counted(Number(doc?.['n'] ?? 0) + 1);
const unending = new AbortController().signal;
const BY_ID = { index: 'id', eq: [] };

export function documentRecords(opened: () => OpenedDocuments): void {
  const store = () => opened().store;
  const read = (id = 'a') => readRecord(store(), c, id);

  describe('a record', () => {
    it('is read whether it was never there, is there or was removed', async () => {
      expect(await read()).to.deep.equal({ id: 'a', guard: null, doc: null });
      await store().write([[buildInsertion(c, 'a', counted(1))]]);
      expect(await read()).to.deep.equal({ id: 'a', guard: '1', doc: counted(1) });
      await removeRecord(store(), c, 'a');
      expect(await read()).to.deep.equal({ id: 'a', guard: '2', doc: null });
    });
    it('is inserted only where nothing was ever stored', async () => {
      await store().write([[buildInsertion(c, 'a', counted(1))]]);
      await removeRecord(store(), c, 'a');
      expect(await store().write([[buildInsertion(c, 'a', counted(2))]])).to.equal('lost');
    });
    it('is replaced only as it was read', async () => {
      const nothing = await read();
      expect(await replaceRecord(store(), c, nothing, counted(1))).to.equal('1');
      expect(await replaceRecord(store(), c, nothing, counted(9))).to.equal(null);
      const first = await read();
      expect(await replaceRecord(store(), c, first, counted(2))).to.equal('2');
      expect(await replaceRecord(store(), c, first, null)).to.equal(null);
      expect(await read()).to.deep.equal({ id: 'a', guard: '2', doc: counted(2) });
    });
    it('is created once, and again after it was removed', async () => {
      expect(await createRecord(store(), c, 'a', counted(1))).to.equal(true);
      expect(await createRecord(store(), c, 'a', counted(2))).to.equal(false);
      await removeRecord(store(), c, 'a');
      expect(await createRecord(store(), c, 'a', counted(3))).to.equal(true);
      expect(await read()).to.deep.equal({ id: 'a', guard: '3', doc: counted(3) });
    });
    it('is removed once', async () => {
      expect(await removeRecord(store(), c, 'a')).to.equal(false);
      await createRecord(store(), c, 'a', counted(1));
      expect(await removeRecord(store(), c, 'a')).to.equal(true);
      expect(await removeRecord(store(), c, 'a')).to.equal(false);
      expect(await read()).to.deep.include({ guard: '2' });
    });
    it('is created, or removed, in one try with a concurrent write', async () => {
      expect(await createRecord(overtaken(store()), c, 'a', counted(5))).to.equal(false);
      expect(await removeRecord(overtaken(store()), c, 'a')).to.equal(false);
      expect((await read()).doc).to.deep.equal(counted(2));
    });
  });

  describe('an update of a record', () => {
    it('counts every one of many at once', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => updateRecord(store(), c, 'a', next)));
      expect(all.map(({ doc }) => Number(doc?.['n'])).sort((x, y) => x - y)).to.deep.equal(
        Array.from({ length: 20 }, (_, i) => i + 1),
      );
      expect(await read()).to.deep.equal({ id: 'a', guard: '20', doc: counted(20) });
    });
    it('decides again on what others wrote in between', async () => {
      const seen: (number | undefined)[] = [];
      const { doc } = await updateRecord(overtaken(store(), 3), c, 'a', (stored) => {
        seen.push(stored?.['n'] as number | undefined);
        return next(stored);
      });
      expect(seen).to.deep.equal([undefined, 1, 2, 3]);
      expect(doc).to.deep.equal(counted(4));
    });
    it('leaves what is to stay, without a write', async () => {
      await createRecord(store(), c, 'a', counted(1));
      const left = await updateRecord(store(), c, 'a', () => undefined);
      expect(left).to.deep.equal({ id: 'a', guard: '1', doc: counted(1), isChanged: false });
      expect(await read()).to.deep.include({ guard: '1' });
    });
    it('removes what is there, and nothing where nothing is', async () => {
      const nothing = await updateRecord(store(), c, 'a', () => null);
      expect(nothing).to.deep.equal({ id: 'a', guard: null, doc: null, isChanged: false });
      await createRecord(store(), c, 'a', counted(1));
      expect(await updateRecord(overtaken(store(), 2), c, 'a', () => null)).to.deep.include({ isChanged: true });
      expect(await read()).to.deep.equal({ id: 'a', guard: '4', doc: null });
    });
    it('ends with what the change throws, and nothing is written', async () => {
      const refusal = new Error('closed');
      const refuse = () => {
        throw refusal;
      };
      expect(await updateRecord(store(), c, 'a', refuse).catch((err: unknown) => err)).to.equal(refusal);
      expect(await read()).to.deep.include({ guard: null });
    });
    it('gives up as unavailable when others come first each time', async () => {
      const failure = await updateRecord(overtaken(store()), c, 'a', () => counted(-1)).catch((err: unknown) => err);
      expect(failure).to.be.instanceOf(Unavailable);
      expect((await read()).doc?.['n']).to.be.above(0);
    });
  });

  describe('many records', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    beforeEach(() => store().write([ids.map((id) => insert(id))]));
    const left = async () => (await store().scan(c, { ...BY_ID, limit: 9 })).rows.map(({ id }) => id);

    it('are scanned page by page, each page when the one before is done with', async () => {
      const found: string[] = [];
      for await (const rows of scanPages({ ...BY_ID, limit: 2 }, (scan) => store().scan(c, scan))) {
        found.push(rows.map(({ id }) => id).join(''));
        await removeRecord(store(), c, 'd');
      }
      expect(found).to.deep.equal(['ab', 'ce']);
    });
    it('are scanned from the cursor on, and within the bounds', async () => {
      const { next: after = '' } = await store().scan(c, { ...BY_ID, limit: 1 });
      const scan = { ...BY_ID, to: 'e', after, limit: 2 };
      const pages: string[][] = [];
      for await (const rows of scanPages(scan, (page) => store().scan(c, page))) pages.push(rows.map(({ id }) => id));
      expect(pages.flat()).to.deep.equal(['b', 'c', 'd']);
    });
    it('are one empty page where nothing is found', async () => {
      const pages: number[] = [];
      const scan = { index: 'byStatus', eq: ['gone'], limit: 2 };
      for await (const rows of scanPages(scan, (page) => store().scan(c, page))) pages.push(rows.length);
      expect(pages).to.deep.equal([0]);
    });
    it('are removed as far as the scan goes', async () => {
      expect(await removeMatching(store(), c, { ...BY_ID, to: 'd', limit: 2 }, unending)).to.equal(3);
      expect(await left()).to.deep.equal(['d', 'e']);
    });
    it('are not removed further when one of them changes in between', async () => {
      const changing: DocStore = {
        ...store(),
        scan: async (from, scan) => {
          const page = await store().scan(from, scan);
          await updateRecord(store(), c, 'a', next);
          return page;
        },
      };
      expect(await removeMatching(changing, c, { ...BY_ID, limit: 2 }, unending)).to.equal(0);
      expect(await left()).to.include('a');
    });
    it('are not removed any more once that is given up', async () => {
      expect(await removeMatching(store(), c, { ...BY_ID, limit: 2 }, AbortSignal.abort())).to.equal(0);
      expect(await left()).to.deep.equal(ids);
    });
  });
}

/** Somebody else counts the record on after each of the first `times` looks at it. */
function overtaken(docs: DocStore, times = Infinity): DocStore {
  let left = times;
  return {
    ...docs,
    get: async (from, ids) => {
      const found = await docs.get(from, ids);
      if (left-- > 0) await updateRecord(docs, from, ids[0] ?? '', next);
      return found;
    },
  };
}
