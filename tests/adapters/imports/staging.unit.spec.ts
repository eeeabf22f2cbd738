// The staging area of an import leaves nothing on the disk, however its process ends.
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openImportStaging } from '../../../src/adapters/imports/staging.js';
import { startChild } from '../child.js';
import { grantOf } from './staged-facts.js';

/** Files that a process has open below a folder, as Linux shows them. */
function openFilesBelow(folder: string, pid: number): readonly string[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  return links.filter((link) => link.startsWith(folder));
}

describe('the staging area of an import', () => {
  it('has no file with a name while its process runs, and none when the process was killed', async function () {
    this.timeout(20_000);
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

  it('yields the facts by customer, those of an alias with their customer, and which are recorded', () => {
    const staging = openImportStaging();
    for (const name of ['carol', 'old-bob', 'alice']) staging.add([grantOf(name)]);
    staging.add([grantOf('bob', ['old-bob'])]);
    expect(staging.group()).to.deep.equal({ customers: 3, facts: 4, sharedNames: [] });
    const found = (recorded: string | null) =>
      [...staging.customers(recorded)].map(({ key, isRecorded, facts }) => [key, isRecorded, facts.length]);
    expect(found(null)).to.deep.equal([
      ['alice', false, 1],
      ['bob', false, 2],
      ['carol', false, 1],
    ]);
    expect(found('bob').map(([, isRecorded]) => isRecorded)).to.deep.equal([true, true, false]);
    staging.close();
  });
});
