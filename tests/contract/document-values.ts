// The part of the document store contract about values: what comes back as it was, and how keys order.
import { expect } from 'chai';
import type { Doc, Scalar } from '../../src/adapters/documents/port.js';
import { insert, type OpenedDocuments } from './opened-documents.js';

export function documentValues(opened: () => OpenedDocuments): void {
  const store = () => opened().store;
  const keep = async (doc: Doc) => {
    expect(await store().write([[insert('a', doc)]])).to.equal('ok');
    return JSON.stringify((await store().get('customers', ['a'])).get('a')?.doc);
  };
  const orderOf = async (values: readonly Scalar[]) => {
    await store().write([values.map((dueAt, i) => insert(`v-${i}`, { dueAt }))]);
    const { rows } = await store().scan('customers', { index: 'byDueAt', eq: [], limit: 100 });
    return rows.map(({ doc }) => doc['dueAt']);
  };
  const found = async (dueAt: Scalar) => {
    const { rows } = await store().scan('customers', { index: 'byDueAt', eq: [dueAt], limit: 100 });
    return rows.map(({ id }) => id);
  };

  describe('values', () => {
    it('order strings by UTF-8 bytes, outside the BMP too', async () => {
      const texts = [
        '',
        'A',
        'Z',
        'a',
        'aa',
        'a\u0301',
        '\u00e9',
        '\ud7ff',
        '\ue000',
        '\uff5e',
        '\u{10000}',
        '\u{1f600}',
        '\u{1f601}',
      ];
      expect(await orderOf([...texts].reverse())).to.deep.equal(texts);
    });
    it('order ids by UTF-8 bytes over pages', async () => {
      const names = ['z', '\uff5e', '\uff5ea', '\u{1f600}', '\u{1f600}a', '\u{1f601}'];
      await store().write([[...names].reverse().map((id) => insert(id))]);
      const seen: string[] = [];
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const page = await store().scan('customers', {
          index: 'id',
          eq: [],
          limit: 1,
          ...(after === undefined ? {} : { after }),
        });
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
      }
      expect(seen).to.deep.equal(names);
      const { rows } = await store().scan('customers', {
        index: 'id',
        eq: [],
        from: '\u{1f600}',
        to: '\u{1f601}',
        limit: 9,
      });
      expect(rows.map(({ id }) => id)).to.deep.equal(['\u{1f600}', '\u{1f600}a']);
    });
    it('order numbers by value', async () => {
      const numbers = [-1e21, -10, -0.5, 0, 0.1, 0.30000000000000004, 2, 10, 9_007_199_254_740_991, 1.5e300];
      expect(await orderOf([...numbers].reverse())).to.deep.equal(numbers);
      for (const [i, n] of [...numbers].reverse().entries())
        expect(await found(n), String(n)).to.deep.equal([`v-${i}`]);
    });
    it('order false before true', async () => {
      expect(await orderOf([true, false, true])).to.deep.equal([false, true, true]);
      expect(await found(true)).to.deep.equal(['v-0', 'v-2']);
      expect(await found(false)).to.deep.equal(['v-1']);
    });
    it('distinguish numbers from strings of digits', async () => {
      await orderOf(['10', '9', '']);
      expect(await found('10')).to.deep.equal(['v-0']);
      expect(await found(10)).to.deep.equal([]);
    });
    it('find the empty string', async () => {
      expect(await orderOf(['b', '', 'a', ''])).to.deep.equal(['', '', 'a', 'b']);
      expect(await found('')).to.deep.equal(['v-1', 'v-3']);
    });
    it('refuse ids and index fields that two stores could confuse', async () => {
      for (const text of ['a\0b', 'a\ud800', '\udc00']) {
        expect(
          await store()
            .write([[insert(text)]])
            .catch((err: unknown) => err),
        ).to.be.instanceOf(Error);
        expect(
          await store()
            .write([[insert('a', { dueAt: text })]])
            .catch((err: unknown) => err),
        ).to.be.instanceOf(Error);
        expect((await store().get('customers', [text])).size).to.equal(0);
      }
    });
    it('refuse an index field that is not a finite number', async () => {
      for (const dueAt of [Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(
          await store()
            .write([[insert('a', { dueAt })]])
            .catch((err: unknown) => err),
        ).to.be.instanceOf(Error);
      }
    });
    it('keep keys with dots, dollars and __proto__', async () => {
      const text =
        '{"status":"s","dueAt":"","a.b":1,"$set":{"$x":[1]},"__proto__":{"y":true},"in":{"__proto__":2,"":3}}';
      const doc: Doc = JSON.parse(text);
      await store().write([[{ ...insert('a'), doc }]]);
      expect(JSON.stringify((await store().get('customers', ['a'])).get('a')?.doc)).to.equal(text);
      const { rows } = await store().scan('customers', { index: 'id', eq: [], limit: 1 });
      expect(JSON.stringify(rows[0]?.doc)).to.equal(text);
    });
    it('keep line separators, controls, lone surrogates and nulls in the body', async () => {
      const doc = {
        status: '',
        dueAt: '',
        text: '\u2028\u2029\0\n"\\\ud800',
        none: null,
        list: [null, [], {}],
        n: -0.1,
      };
      expect(await keep(doc)).to.equal(JSON.stringify(doc));
    });
    it('keep a document of 512 kB', async () => {
      const doc = { status: '', dueAt: '', text: 'é\u{1f600}x'.repeat(512 * 146) };
      expect(Buffer.byteLength(doc.text)).to.be.above(512_000);
      expect((await keep(doc)) === JSON.stringify(doc)).to.equal(true);
      const { rows } = await store().scan('customers', { index: 'byDueAt', eq: [''], limit: 1 });
      expect(rows[0]?.doc['text'] === doc.text).to.equal(true);
    });
    it('are not the caller’s objects', async () => {
      const doc = { status: 'active', dueAt: '1', list: [1] };
      const writing = store().write([[insert('a', doc)]]);
      doc.dueAt = '2';
      doc.list.push(2);
      await writing;
      doc.list.push(3);
      const first = (await store().get('customers', ['a'])).get('a')?.doc;
      expect(first).to.deep.equal({ status: 'active', dueAt: '1', list: [1] });
      // A store may also give out what nobody can change.
      Reflect.set(first ?? {}, 'dueAt', '3');
      expect((await store().get('customers', ['a'])).get('a')?.doc).to.include({ dueAt: '1' });
      expect(await found('1')).to.deep.equal(['a']);
    });
  });
}
