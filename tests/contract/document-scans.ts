// The part of the document store contract about scans, their order and their pages.
import { expect } from 'chai';
import type { Scan, Write } from '../../src/adapters/documents/port.js';
import { BadCursor } from '../../src/domain/errors.js';
import { insert, type OpenedDocuments } from './opened-documents.js';

export function documentScans(opened: () => OpenedDocuments): void {
  const store = () => opened().store;
  const ids = async (scan: Partial<Scan>) => {
    const page = await store().scan('customers', { index: 'id', eq: [], limit: 100, ...scan });
    return page.rows.map(({ id }) => id).join(' ');
  };
  const allPages = async (
    scan: Omit<Scan, 'after'>,
    between: (last: string) => Promise<void> = async () => undefined,
  ) => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await store().scan('customers', { ...scan, ...(after === undefined ? {} : { after }) });
      expect(page.rows.length).to.be.within(1, scan.limit);
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next;
      if (after !== undefined) await between(seen.at(-1) ?? '');
    } while (after !== undefined);
    return seen;
  };
  const thousand = () => {
    const name = (i: number) => `c-${String(i).padStart(4, '0')}`;
    const docs = Array.from({ length: 1203 }, (_, i) =>
      insert(name(i), { status: i % 3 ? 'active' : 'other', dueAt: i % 7 }),
    );
    return { docs, order: [...docs].sort(byDueAt).map(({ id }) => id) };
  };

  describe('scans', () => {
    beforeEach(() =>
      store().write([
        [
          insert('a', { dueAt: '2026-03' }),
          insert('b', { dueAt: '2026-01' }),
          insert('c', { dueAt: '2026-02' }),
          insert('d', { dueAt: '2026-02', status: 'expired' }),
          insert('e', { dueAt: '2026-02' }),
        ],
      ]),
    );
    it('return guard and document', async () => {
      const { rows, next } = await store().scan('customers', { index: 'byDueAt', eq: ['2026-01'], limit: 1 });
      expect(rows).to.deep.equal([{ id: 'b', guard: '1', doc: { status: 'active', dueAt: '2026-01' } }]);
      expect(next).to.equal(undefined);
    });
    it('follow the index, then the id', async () => {
      expect(await ids({ index: 'byDueAt' })).to.equal('b c d e a');
      expect(await ids({ index: 'byStatus' })).to.equal('b c e a d');
      expect(await ids({})).to.equal('a b c d e');
    });
    it('take equality on leading fields', async () => {
      expect(await ids({ index: 'byStatus', eq: ['active'] })).to.equal('b c e a');
      expect(await ids({ index: 'byStatus', eq: ['active', '2026-02'] })).to.equal('c e');
      expect(await ids({ index: 'byStatus', eq: ['gone'] })).to.equal('');
    });
    it('include the lower bound and exclude the upper', async () => {
      expect(await ids({ index: 'byDueAt', from: '2026-02' })).to.equal('c d e a');
      expect(await ids({ index: 'byDueAt', to: '2026-02' })).to.equal('b');
      expect(await ids({ index: 'byStatus', eq: ['active'], from: '2026-01', to: '2026-03' })).to.equal('b c e');
      expect(await ids({ index: 'byStatus', eq: ['active', '2026-02'], from: 'd' })).to.equal('e');
      expect(await ids({ index: 'byDueAt', from: '2026-03', to: '2026-01' })).to.equal('');
    });
    it('run backwards', async () => {
      expect(await ids({ reverse: true })).to.equal('e d c b a');
      expect(await ids({ index: 'byStatus', eq: ['active'], reverse: true })).to.equal('a e c b');
      expect(await ids({ index: 'byDueAt', from: '2026-02', to: '2026-03', reverse: true })).to.equal('e d c');
    });
    it('find ids by prefix', async () => {
      await store().write([[insert('p1|x'), insert('p1|y'), insert('p1'), insert('p2|x')]]);
      expect(await ids({ from: 'p1|', to: 'p1}' })).to.equal('p1|x p1|y');
      expect(await ids({ from: 'p1|', to: 'p1}', reverse: true })).to.equal('p1|y p1|x');
    });
    it('leave tombstones out', async () => {
      await store().write([[{ ...insert('c'), expect: '1', guard: '2', doc: null }]]);
      expect(await ids({})).to.equal('a b d e');
      expect(await ids({ index: 'byStatus', eq: ['active'] })).to.equal('b e a');
    });
    it('move a document whose fields changed', async () => {
      await store().write([[{ ...insert('b', { dueAt: '2026-09' }), expect: '1', guard: '2' }]]);
      expect(await ids({ index: 'byDueAt' })).to.equal('c d e a b');
    });
    it('refuse an index that is not declared, too many values and a limit below one', async () => {
      for (const scan of [{ index: 'byNothing' }, { eq: ['a'] }, { limit: 0 }, { limit: 1.5 }]) {
        expect(await ids(scan).catch((err: unknown) => err)).to.be.instanceOf(Error);
      }
    });
  });

  describe('pages', () => {
    for (const reverse of [false, true]) {
      it(`neither repeat nor skip, ${reverse ? 'backwards' : 'forwards'}`, async () => {
        const { docs, order } = thousand();
        await store().write([docs]);
        const expected = reverse ? [...order].reverse() : order;
        expect(await allPages({ index: 'byDueAt', eq: [], limit: 100, reverse })).to.deep.equal(expected);
        const bounds = { from: 2, to: 5 };
        const inside = new Set(
          docs.filter(({ doc }) => Number(doc?.['dueAt']) >= 2 && Number(doc?.['dueAt']) < 5).map(({ id }) => id),
        );
        expect(await allPages({ index: 'byDueAt', eq: [], ...bounds, limit: 77, reverse })).to.deep.equal(
          expected.filter((id) => inside.has(id)),
        );
        const active = new Set(docs.filter(({ doc }) => doc?.['status'] === 'active').map(({ id }) => id));
        expect(await allPages({ index: 'byStatus', eq: ['active'], limit: 100, reverse })).to.deep.equal(
          expected.filter((id) => active.has(id)),
        );
        expect(await allPages({ index: 'id', eq: [], limit: 401, reverse })).to.have.length(docs.length);
      });
      it(`keep the rows that did not change while others come and go, ${reverse ? 'backwards' : 'forwards'}`, async () => {
        const { docs, order } = thousand();
        await store().write([docs]);
        const gone = new Set<string>();
        let page = 0;
        const seen = await allPages({ index: 'byDueAt', eq: [], limit: 100, reverse }, async (last) => {
          page += 1;
          // The last row of the page itself goes, and one that was not reached yet; new rows come at both ends and in the middle.
          const victims = [last, order[(page * 97) % order.length] ?? ''].filter((id) => !gone.has(id));
          const fresh = [0, 3, 6].map((dueAt) => insert(`new-${page}-${dueAt}`, { dueAt }));
          const deletions = [...new Set(victims)].map((id) => ({ ...insert(id), expect: '1', guard: '2', doc: null }));
          expect(await store().write([[...fresh, ...deletions]])).to.equal('ok');
          for (const id of victims) gone.add(id);
        });
        expect(new Set(seen).size, 'no row twice').to.equal(seen.length);
        const expected = order.filter((id) => !gone.has(id));
        const kept = seen.filter((id) => id.startsWith('c-') && !gone.has(id));
        expect(kept).to.deep.equal(reverse ? expected.reverse() : expected);
      });
    }
    it('end without a cursor when the last page is full', async () => {
      await store().write([[insert('a'), insert('b')]]);
      expect(await store().scan('customers', { index: 'id', eq: [], limit: 2 })).not.to.have.property('next');
    });
    it('reject an invalid cursor', async () => {
      const forged = [['byDueAt'], ['byDueAt', null, 'a'], ['byDueAt', '', 7], ['byDueAt', {}, 'a'], {}, 'x', null];
      const encoded = forged.map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'));
      for (const after of ['', '!', 'AAAA', ...encoded]) {
        expect(await ids({ index: 'byDueAt', after }).catch((err: unknown) => err), after).to.be.instanceOf(BadCursor);
      }
    });
    it('refuse a cursor of another index or another equality prefix', async () => {
      await store().write([[insert('a'), insert('b'), insert('c', { status: 'expired' })]]);
      const { next: after = '' } = await store().scan('customers', { index: 'byStatus', eq: ['active'], limit: 1 });
      expect(await ids({ index: 'byStatus', eq: ['active'], after })).to.equal('b');
      for (const scan of [{ index: 'byDueAt' }, { index: 'id' }, { index: 'byStatus', eq: ['expired'] }]) {
        expect(await ids({ ...scan, after }).catch((err: unknown) => err)).to.be.instanceOf(BadCursor);
      }
    });
  });
}

function byDueAt(a: Write, b: Write): number {
  return Number(a.doc?.['dueAt']) - Number(b.doc?.['dueAt']) || (a.id < b.id ? -1 : 1);
}
