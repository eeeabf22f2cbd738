// Error messages for an unusable data directory.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataDirectoryFault, createFolder } from '../../src/adapters/configuration/data-directory.js';
import { WrongConfiguration } from '../../src/adapters/configuration/wrong-configuration.js';

const CURE = 'set DATA_DIR to a directory that this user may write to';
const systemError = (code: string, path?: string, syscall = 'open') =>
  Object.assign(new Error(`${code}: as the system says it`), { code, syscall, ...(path !== undefined && { path }) });
const databaseError = (errcode: number) =>
  Object.assign(new Error('as SQLite says it'), { code: 'ERR_SQLITE_ERROR', errcode });

describe('a fault of the data directory', () => {
  const problems: readonly (readonly [name: string, err: Error, problem: string])[] = [
    [
      'a read-only disk',
      systemError('EROFS', '/data/owner'),
      `/data/owner is on a disk that is mounted read-only; ${CURE}`,
    ],
    ['no permission', systemError('EACCES', '/data'), `/data is not accessible to the user of this process; ${CURE}`],
    ['a file above it', systemError('EEXIST', '/', 'mkdir'), `/ is a file; ${CURE}`],
    ['a place without files', systemError('ENOENT', '/data', 'mkdir'), `/data cannot be created there; ${CURE}`],
    [
      'a full disk',
      systemError('ENOSPC', undefined, 'write'),
      '/data is on a disk without free space; free some space there',
    ],
    [
      'a full disk below it',
      systemError('ENOSPC', '/data/builds', 'mkdir'),
      '/data/builds is on a disk without free space; free some space there',
    ],
    [
      'a database file that may only be read',
      databaseError(8),
      `/data may not be written by the user of this process, or is on a disk that is mounted read-only; ${CURE}`,
    ],
    [
      'a database file that cannot be opened',
      databaseError(14),
      `/data has files that are not accessible to the user of this process; ${CURE}`,
    ],
  ];
  for (const [name, err, problem] of problems) {
    it(`is reported as DATA_DIR for ${name}`, () => {
      const fault = dataDirectoryFault('/data', err);
      expect(fault).to.be.instanceOf(WrongConfiguration);
      expect((fault as WrongConfiguration).problems).to.deep.equal([`DATA_DIR: ${problem}`]);
    });
  }

  it('leaves errors of other files, of the database and of the program as they are', () => {
    const others = [
      systemError('ENOENT', '/database/x'),
      systemError('ECONNREFUSED'),
      databaseError(11),
      new Error('bug'),
    ];
    for (const err of others) expect(dataDirectoryFault('/data', err)).to.equal(err);
  });
});

describe('a folder of the data directory', () => {
  it('is created for its user alone, with those above it, and may be there already', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'subledger-folder-'));
    const folder = join(scratch, 'a/b/c');
    createFolder(folder);
    createFolder(folder);
    for (const path of [folder, join(scratch, 'a')]) expect(statSync(path).mode & 0o777).to.equal(0o700);
    rmSync(scratch, { recursive: true });
  });
});
