// The staging area of an import leaves nothing on the disk, however its process ends.
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openImportStaging } from '../../../src/adapters/imports/staging.js';
import type { ImportStaging } from '../../../src/adapters/imports/port.js';
import { factsOf } from '../../../src/commands/imports/read-facts.js';
import { startChild } from '../child.js';
import { grantOf, purchaseOf, shortOf } from './staged-facts.js';

/** Files that a process has open below a folder, as Linux shows them. */
function openFilesBelow(folder: string, pid: number): readonly string[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return links.filter((link) => link.startsWith(folder));
}

const customersOf = (staging: ImportStaging) => [...staging.customers()].map(factsOf);

describe('the staging area of an import', () => {
  it('has no file with a name while its process runs, and none when the process was killed', async function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'staging-spec-'));
    const child = startChild('./imports/staging-writer.ts', { SQLITE_TMPDIR: folder });
    try {
      expect(await child.line()).to.equal('60000');
      if (process.platform === 'linux') expect(openFilesBelow(folder, child.pid)).to.have.length.greaterThan(0);
      expect(readdirSync(folder)).to.deep.equal([]);
      await child.kill();
      expect(readdirSync(folder)).to.deep.equal([]);
    } finally {
      await child.kill();
      rmSync(folder, { recursive: true });
    }
  });

  it('yields the facts by customer, those of an alias with their customer', async () => {
    const staging = openImportStaging();
    for (const name of ['carol', 'old-bob', 'alice']) staging.add([grantOf(name)]);
    staging.add([grantOf('bob', ['old-bob'])]);
    expect(await staging.group()).to.deep.equal({ customers: 3, facts: 4, moved: [] });
    const found = customersOf(staging).map((facts) => facts.map(({ customerKey }) => customerKey));
    expect(found).to.deep.equal([['carol'], ['old-bob', 'bob'], ['alice']]);
    staging.close();
  });

  it('yields customers with more facts than are read at once, each whole and once', async () => {
    const staging = openImportStaging();
    const counts = { alice: 700, bob: 1, carol: 1200 };
    for (const [name, count] of Object.entries(counts))
      for (let row = 0; row < count; row++) staging.add([{ ...grantOf(name), from: { file: 'a.csv', row } }]);
    await staging.group();
    const found = customersOf(staging).map((facts) => [facts[0].customerKey, facts.map(({ from }) => from.row)]);
    expect(found).to.deep.equal(
      Object.entries(counts).map(([name, count]) => [name, Array.from({ length: count }, (_, row) => row)]),
    );
    staging.close();
  });

  it('yields only the first fact of a customer with more than an import takes, and the number of all', async () => {
    const staging = openImportStaging();
    const counts = { alice: 1, bob: 5001, carol: 5000 };
    for (const [name, count] of Object.entries(counts)) staging.add(Array.from({ length: count }, () => grantOf(name)));
    for (let n = 0; n < 10; n++) staging.add([{ ...grantOf('dave'), from: { file: 'x'.repeat(1_000_000), row: n } }]);
    await staging.group();
    const found = [...staging.customers()].map(({ facts, omittedCount }) => [facts.length, omittedCount]);
    expect(found).to.deep.equal([
      [1, 0],
      [1, 5001],
      [5000, 0],
      [1, 10],
    ]);
    staging.close();
  });

  it('joins customers whom several files name differently, in any order of their names', async () => {
    // One file names the customer by its first name, another by its last one: both list the other names.
    for (const [original, main] of [
      ['a', 'z'],
      ['z', 'a'],
    ] as const) {
      const staging = openImportStaging();
      for (const [name, aliases] of [
        [original, ['m']],
        [original, ['n']],
        [main, [original, 'm', 'n']],
        ['n', [main]],
        ['m', []],
        ['y', ['b']],
        ['x', ['y']],
        ['b', []],
      ] as const)
        staging.add([grantOf(name, aliases)]);
      expect(await staging.group()).to.deep.equal({ customers: 2, facts: 8, moved: [] });
      const found = customersOf(staging).map((facts) => facts.map(({ customerKey }) => customerKey));
      expect(found.toSorted((a, b) => b.length - a.length)).to.deep.equal([
        [original, original, main, 'n', 'm'],
        ['y', 'x', 'b'],
      ]);
      staging.close();
    }
  });

  it('reports a name of two customers with a row of each, and joins neither with it', async () => {
    const staging = openImportStaging();
    for (const name of ['alice', 'bob']) staging.add([grantOf(name, ['shared'])]);
    staging.add([grantOf('shared')]);
    const row = { file: 'a.csv', row: 2 };
    expect(await staging.group()).to.deep.equal({ customers: 3, facts: 3, moved: [] });
    expect([...staging.sharedNames()]).to.deep.equal([{ rows: [row, row] }]);
    expect(['shared', 'alice', 'unknown'].map(staging.isShared)).to.deep.equal([true, false, false]);
    staging.close();
  });

  it('joins a chain of 10,000 names, and one customer of 10,000 names, in about the time of as many rows', async function () {
    this.timeout(120_000);
    const staging = openImportStaging();
    const chain = (n: number) => `link-${String((n * 7919) % 10_000).padStart(5, '0')}`;
    for (let n = 1; n < 10_000; n++) staging.add([shortOf(chain(n), [chain(n - 1)])]);
    const many = Array.from({ length: 10_000 }, (_, n) => `name-${n}`);
    for (let n = 0; n < 10; n++) staging.add([shortOf('ann', many.slice(n * 1000, (n + 1) * 1000))]);
    for (const name of many) staging.add([shortOf(name)]);
    const started = process.cpuUsage();
    expect(await staging.group()).to.deep.equal({ customers: 2, facts: 20_009, moved: [] });
    const { user, system } = process.cpuUsage(started);
    // The work is about 0.2 s; with facts that move at each step it was minutes.
    expect((user + system) / 1e6).to.be.lessThan(10);
    staging.close();
  });

  it('does not merge two customers of the source, also if one was last seen under the name of the other', async () => {
    const staging = openImportStaging();
    staging.add([{ ...shortOf('alice'), isOriginal: true }]);
    staging.add([{ ...shortOf('bob', ['alice']), isOriginal: true }]);
    staging.add([{ ...shortOf('anna', ['guest']), isOriginal: true }]);
    staging.add([{ ...shortOf('berta', ['guest']), isOriginal: true }]);
    staging.add([shortOf('guest')]);
    expect((await staging.group()).customers).to.equal(5);
    expect([...staging.sharedNames()]).to.have.length(2);
    expect(['alice', 'bob', 'guest'].map(staging.isShared)).to.deep.equal([true, false, true]);
    staging.close();
  });

  it('gives a purchase line to the customer of its newest row, in whichever order the rows are', async () => {
    const row = (customer: string, n: number, updatedAt: string) =>
      purchaseOf(customer, { n, original: 'tx_1', updatedAt });
    const rows = [row('alice', 1, '2026-01-05'), row('alice', 2, '2026-02-01'), row('bob', 3, '2026-03-01')];
    for (const order of [rows, rows.toReversed()]) {
      const staging = openImportStaging();
      for (const fact of order) staging.add([fact]);
      expect((await staging.group()).moved.map(({ from }) => from.row).toSorted()).to.deep.equal([1, 2]);
      const found = customersOf(staging).map((facts) => [
        facts.find(({ customer }) => customer)?.customerKey,
        facts.flatMap(({ purchase }) => purchase?.transactionId ?? []).toSorted(),
      ]);
      expect(Object.fromEntries(found)).to.deep.equal({ alice: [], bob: ['tx_1', 'tx_2', 'tx_3'] });
      staging.close();
    }
  });

  it('lets other work of the process run while it groups many customers', async () => {
    const staging = openImportStaging();
    for (let n = 0; n < 3000; n++) staging.add([grantOf(`customer-${n}`, [`alias-${n}`])]);
    let turns = 0;
    const immediately = () => void (turns++, (next = setImmediate(immediately)));
    let next = setImmediate(immediately);
    await staging.group();
    clearImmediate(next);
    expect(turns).to.be.greaterThan(5);
    staging.close();
  });
});
