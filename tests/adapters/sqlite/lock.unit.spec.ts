// One process at a time owns a data directory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DirectoryInUse, lockDirectory } from '../../../src/adapters/sqlite/lock.js';
import { startChild } from '../child.js';

describe('lock of the data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'subledger-lock-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is free again after its release, and makes a directory that is missing', () => {
    const missing = join(directory, 'a', 'b');
    lockDirectory(missing)();
    const release = lockDirectory(missing);
    expect(() => lockDirectory(missing)).to.throw(DirectoryInUse);
    release();
    release();
  });

  it('refuses a second process and names the owner and the remedy', async () => {
    const release = lockDirectory(directory);
    const second = startChild('./sqlite/lock-holder.ts', directory);
    const output = await second.line();
    expect(output).to.match(/^DirectoryInUse: /);
    expect(output).to.contain(directory).and.to.contain(`process ${process.pid}`).and.to.contain('set DATA_DIR');
    await second.kill();
    release();
  });

  it('is gone with a process that was killed', async () => {
    const holder = startChild('./sqlite/lock-holder.ts', directory);
    expect(await holder.line()).to.equal('locked');
    expect(() => lockDirectory(directory)).to.throw(DirectoryInUse);
    await holder.kill();
    lockDirectory(directory)();
  });

  it('holds although its file is deleted under a process, or replaced', async () => {
    const holder = startChild('./sqlite/lock-holder.ts', directory);
    expect(await holder.line()).to.equal('locked');
    rmSync(join(directory, 'lock.sqlite'));
    expect(() => lockDirectory(directory)).to.throw(DirectoryInUse, 'process');
    rmSync(join(directory, 'lock.sqlite'));
    rmSync(join(directory, 'owner'));
    writeFileSync(join(directory, 'log.sqlite'), '');
    expect(() => lockDirectory(directory)).to.throw(DirectoryInUse);
    rmSync(join(directory, 'lock.sqlite'));
    writeFileSync(join(directory, 'lock.sqlite'), '');
    expect(() => lockDirectory(directory)).to.throw(DirectoryInUse);
    await holder.kill();
    lockDirectory(directory)();
  });

  it('reports another cause as what it is', () => {
    expect(() => lockDirectory('/dev/null/data')).to.throw(/DATA_DIR: \/dev\/null is a file/);
  });
});
