// Computations of months that are requested at the same time: large ones one after another, and each once.
import { expect } from 'chai';
import type { BooksMonth } from '../../../src/projections/books/compute-month.js';
import { createComputations } from '../../../src/projections/books/computations.js';
import type { ListedReport, VersionedRequest } from '../../../src/projections/books/month-sources.js';

const request = (projectId: string, version: string, lines: number, of = '2026-07'): VersionedRequest => ({
  ...{ projectId, month: '2026-07', today: '2026-08-01', version, absences: [] },
  reports: [{ isCounted: true, month: of, lines } as ListedReport],
});

describe('computations of months', () => {
  let begun: { readonly name: string; readonly end: (err?: Error) => void }[];
  let computations: ReturnType<typeof createComputations>;
  const names = () => begun.map(({ name }) => name);
  /** Lets what can begin do so. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  beforeEach(() => {
    begun = [];
    computations = createComputations(({ projectId, version, month }) => {
      return new Promise<BooksMonth>((resolve, reject) => {
        const end = (err?: Error) => (err ? reject(err) : resolve({ month, paid: [] } as unknown as BooksMonth));
        begun.push({ name: `${projectId} ${version}`, end });
      });
    });
  });

  it('are of small months at the same time, and of large ones one after another', async () => {
    for (const one of ['a', 'b']) void computations.newest(request(one, '1', 20_000));
    expect(names()).to.deep.equal(['a 1', 'b 1']);
    const large = ['c', 'd'].map((one) => computations.newest(request(one, '1', 20_001)));
    await settle();
    expect(names().slice(2)).to.deep.equal(['c 1']);
    begun[2]?.end();
    await large[0];
    await settle();
    expect(names().slice(2)).to.deep.equal(['c 1', 'd 1']);
  });

  it('are one after another beside a large month too, whose lines they read', async () => {
    for (const near of ['2026-06', '2026-08', '2026-09']) void computations.newest(request(near, '1', 20_001, near));
    await settle();
    expect(names()).to.deep.equal(['2026-06 1']);
    for (const far of ['2026-05', '2026-10']) void computations.newest(request(far, '1', 20_001, far));
    await settle();
    expect(names()).to.deep.equal(['2026-06 1', '2026-05 1', '2026-10 1']);
  });

  it('begin after one that failed', async () => {
    const [first, second] = ['a', 'b'].map((one) => computations.newest(request(one, '1', 50_000)));
    await settle();
    begun[0]?.end(new Error('no memory'));
    expect(await first?.catch((err: Error) => err.message)).to.equal('no memory');
    await settle();
    begun[1]?.end();
    expect(await second).to.include({ month: '2026-07' });
  });

  it('are shared by requests of the same version, and for a large month also by those of a newer one', async () => {
    const first = computations.newest(request('a', '1', 50_000));
    const same = computations.newest(request('a', '1', 50_000));
    const shared = computations.shared(request('a', '2', 50_000));
    const newest = computations.newest(request('a', '2', 50_000));
    await settle();
    expect(names()).to.deep.equal(['a 1']);
    begun[0]?.end();
    expect(await same).to.equal(await first);
    expect(await shared).to.deep.equal({ version: '1', month: await first });
    await settle();
    expect(names()).to.deep.equal(['a 1', 'a 2']);
    begun[1]?.end();
    expect(await newest).not.to.equal(await first);
    const small = computations.shared(request('b', '2', 10));
    begun[2]?.end();
    expect(await small).to.deep.include({ version: '2' });
  });
});
