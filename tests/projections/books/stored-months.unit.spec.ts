// Stored results of large months: pages, comparisons of a transaction, and a newer result beside the one that is read.
import { expect } from 'chai';
import { createRandom } from '#simulator/random.js';
import { amountsOf, causes, type BookEntry } from '../../../src/domain/books/entries.js';
import type { BooksMonth } from '../../../src/projections/books/compute-month.js';
import type { EntryPlace, MonthView } from '../../../src/projections/books/month-view.js';
import {
  bookMonthCollection,
  bookPartCollection,
  createMonthStore,
  type MonthStore,
} from '../../../src/projections/books/stored-months.js';
import { openMongoDocuments } from '../../../src/adapters/documents/mongodb/store.js';
import { updateRecord } from '../../../src/adapters/documents/records.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { startMongoStandIn } from '../../adapters/documents/mongodb-stand-in/server.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';

const period = { startDate: '2026-07-01', endDate: '2026-07-31' };

function playMonth(seed: string, count: number): BooksMonth {
  const random = createRandom(seed);
  const entries = Array.from({ length: count }, (_, i): BookEntry => {
    const cause = causes[random.whole(0, 3)] ?? 'matched';
    const place = {
      appId: i % 7 === 0 ? null : 'app_1',
      currency: i % 3 === 0 ? 'USD' : 'EUR',
      sku: 'pro',
      country: 'DE',
    };
    const store = amountsOf('charge', random.whole(1, 9) * 1_000_000, 0, 0);
    const ids = {
      transactionIds: [`GPA.${i}`, `GPA.${i % 50}`],
      orderId: `GPA.${i}`,
      rows: [{ reportId: 'rep_1', row: i + 2 }],
    };
    return {
      cause,
      kind: 'charge',
      ...place,
      day: '2026-07-10',
      count: 1,
      ours: null,
      store,
      paid: null,
      ...ids,
      otherMonth: null,
      labels: [],
    };
  });
  const periods = { earnings: period, finance_detail: period };
  const sums = { gross: count, refunds: 0, tax: 0, commission: 0 };
  const cohorts = Array.from({ length: count * 20 }, (_, i) => {
    return { firstSeenDay: `day ${i}`, day: '2026-07-10', estimated: sums, settled: sums };
  });
  return {
    month: '2026-07',
    periods,
    reports: [],
    entries,
    tables: [],
    paid: [],
    payments: [],
    settled: [],
    settledCohorts: cohorts,
    isComplete: false,
  };
}

const sorted = (entries: readonly BookEntry[]) =>
  entries.toSorted((a, b) => (a.orderId ?? '').localeCompare(b.orderId ?? ''));

const read = async (view: MonthView, selection = {}, after = -1): Promise<EntryPlace[]> => {
  const found: EntryPlace[] = [];
  for await (const piece of view.entries(selection, after)) found.push(...piece);
  return found;
};

const engines = {
  memory: () => Promise.resolve({ docs: createMemoryDocuments(), close: () => Promise.resolve() }),
  MongoDB: async () => {
    const server = await startMongoStandIn();
    const docs = openMongoDocuments({ url: server.url, runtime: systemRuntime() });
    const close = async () => {
      await docs.close();
      await server.close();
    };
    return { docs, close };
  },
} as const;

describe('a month of the books that an earlier version stored', () => {
  it('has no payments and cohorts, and reports that do not count because newer ones took their place', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([bookMonthCollection, bookPartCollection]);
    const store = createMonthStore(docs, { slice: () => Promise.resolve(), newId: (prefix) => `${prefix}_1` });
    await store.put('proj_1', playMonth('former', 3), { version: 'v1', computedAt: 5, tookMs: 3 });
    await updateRecord(docs, bookMonthCollection.name, 'proj_1|2026-07', (record) => {
      if (!record) return undefined;
      const { payments: _, ...summary } = JSON.parse(record.summary) as MonthView['summary'];
      const reports = [
        { reportId: 'rep_new', isCounted: true },
        { reportId: 'rep_old', isCounted: false },
      ];
      const { cohorts: _cohorts, ...former } = record;
      return { ...former, summary: JSON.stringify({ ...summary, reports }) };
    });
    const view = (await store.read('proj_1', '2026-07'))?.view;
    const { summary } = view ?? {};
    expect(await view?.settledCohorts()).to.deep.equal([]);
    expect(summary?.payments).to.deep.equal([]);
    expect(summary?.reports.map(({ uncountedReason }) => uncountedReason)).to.deep.equal([null, 'replaced']);
  });
});

for (const [engine, open] of Object.entries(engines))
  describe(`a stored month of the books (${engine})`, () => {
    let number = 0;
    let store: MonthStore;
    /** Runs between two parts of a result. */
    let meanwhile = (): Promise<void> => Promise.resolve();
    let close = (): Promise<void> => Promise.resolve();
    before(async () => {
      const opened = await open();
      await opened.docs.ensure([bookMonthCollection, bookPartCollection]);
      close = opened.close;
      store = createMonthStore(opened.docs, {
        slice: () => meanwhile(),
        newId: (prefix) => `${prefix}_${number++}`,
      });
    });
    after(() => close());
    const about = { version: 'v1', computedAt: 5, tookMs: 3 };
    const requireView = async (): Promise<MonthView> => {
      const stored = await store.read('proj_1', '2026-07');
      if (!stored) throw new Error('the month is stored');
      return stored.view;
    };
    const month = playMonth('first', 3300);

    it('is none before it was computed, or of another project', async () => {
      expect(await store.read('proj_1', '2026-07')).to.equal(null);
      await store.put('proj_1', month, about);
      expect(await store.read('proj_2', '2026-07')).to.equal(null);
      expect(await store.read('proj_1', '2026-07')).to.include(about);
    });

    it('has each entry once, selected and from any place on', async () => {
      const view = await requireView();
      expect(view.summary).to.deep.include({ entryCount: 3300, month: '2026-07' }).and.not.have.property('entries');
      expect(view.summary).not.to.have.property('settledCohorts');
      expect(await view.settledCohorts()).to.deep.equal(month.settledCohorts);
      const all = await read(view);
      expect(all.map(({ index }) => index)).to.deep.equal(month.entries.map((_, i) => i));
      expect(sorted(all.map(({ entry }) => entry))).to.deep.equal(sorted(month.entries));
      for (const selection of [
        { cause: 'timing' },
        { currency: 'EUR', appId: 'app_1' },
        { cause: 'double' },
      ] as const) {
        const selected = all.filter(({ entry }) =>
          Object.entries(selection).every(([key, value]) => entry[key as 'cause'] === value),
        );
        expect(await read(view, selection)).to.deep.equal(selected);
        expect(await read(view, selection, 1700)).to.deep.equal(selected.filter(({ index }) => index > 1700));
      }
    });

    it('finds the comparisons of a transaction', async () => {
      const view = await requireView();
      const of = (id: string) => month.entries.filter(({ transactionIds }) => transactionIds.includes(id));
      for (const id of ['GPA.7', 'GPA.3299']) expect(sorted(await view.entriesOf(id))).to.deep.equal(sorted(of(id)));
      expect(await view.entriesOf('GPA.unknown')).to.deep.equal([]);
    });

    it('stays readable while a newer one takes its place, and is refused after the next', async () => {
      const old = await requireView();
      await store.put('proj_1', playMonth('second', 1200), about);
      expect(await read(old)).to.have.length(3300);
      expect(await read(await requireView())).to.have.length(1200);
      await store.put('proj_1', playMonth('third', 900), about);
      const refused = await read(old).catch((err: unknown) => err);
      expect(refused)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/compared again/);
      expect(await read(await requireView())).to.have.length(900);
    });

    for (const turn of [1, 3, 8])
      it(`is whole when another result is stored while one is being stored (at its part ${turn})`, async () => {
        let parts = 0;
        meanwhile = async () => {
          if (++parts === turn) await store.put('proj_1', playMonth('other', 1500), { ...about, version: 'other' });
        };
        await store.put('proj_1', playMonth('slow', 6000), { ...about, version: 'slow' });
        meanwhile = () => Promise.resolve();
        expect(await read(await requireView())).to.have.length(1500);
        expect(await store.read('proj_1', '2026-07')).to.include({ version: 'other' });
        await store.put('proj_1', playMonth('next', 700), about);
        expect(await read(await requireView())).to.have.length(700);
      });
  });
