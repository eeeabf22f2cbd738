// Commands with a file or a directory to read or to write: what is wrong with it is a sentence that names the argument and what to do.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startHarness } from '../http/support/harness.js';
import { subledger } from './command-line.js';

const RATES = "give eurofxref.csv or eurofxref-hist.csv from the European Central Bank's website, unzipped";
const DUMP = 'give a file that subledger export has written';
const NEW_FILE = 'give the path of a new file, such as dump.ndjson.gz';
const NEW_FOLDER = 'give a new or empty directory that this user may write to';
const FOLDER = 'give a directory that this user may write to';

describe('a path on the command line', function () {
  this.timeout(120_000);
  const scratch = mkdtempSync(join(tmpdir(), 'subledger-paths-'));
  const at = (name: string) => join(scratch, name);
  let env: Record<string, string>;
  before(async () => {
    const harness = await startHarness();
    await harness.service().stop();
    env = { DATA_DIR: harness.dataDir };
    writeFileSync(at('empty'), '');
    writeFileSync(at('text'), 'neither rates nor an export\n');
    writeFileSync(at('zipped'), gzipSync('neither rates nor an export\n'));
    writeFileSync(at('zipped-json'), gzipSync('{"format":"other"}\n'));
    mkdirSync(at('folder'));
    mkdirSync(at('full'));
    writeFileSync(at('full/file'), '');
    mkdirSync(at('taken/customers.csv'), { recursive: true });
  });
  after(() => rmSync(scratch, { recursive: true }));

  const refusals: readonly (readonly [args: string, message: string])[] = [
    ['rates import missing', `FILE missing does not exist; ${RATES}`],
    ['rates import folder', `FILE folder is a directory; ${RATES}`],
    ['rates import empty/x', `FILE empty/x has a file where its path needs a directory; ${RATES}`],
    ['import missing', `FILE missing does not exist; ${DUMP}`],
    ['import folder', `FILE folder is a directory; ${DUMP}`],
    ['import empty', `FILE empty was not written by subledger export; ${DUMP}`],
    ['import text', `FILE text was not written by subledger export; ${DUMP}`],
    ['import zipped', `FILE zipped was not written by subledger export; ${DUMP}`],
    ['import zipped-json', `FILE zipped-json was not written by subledger export; ${DUMP}`],
    ['verify missing', `FILE missing does not exist; ${DUMP}`],
    ['verify folder', `FILE folder is a directory; ${DUMP}`],
    ['verify text', `FILE text was not written by subledger export; ${DUMP}`],
    ['export folder', `FILE folder is a directory; ${NEW_FILE}`],
    ['export missing/dump.gz', `FILE missing/dump.gz cannot be written, since missing does not exist; ${NEW_FILE}`],
    ['export text/dump.gz', `FILE text/dump.gz cannot be written, since text is a file; ${NEW_FILE}`],
    ['export text', `FILE text exists already; ${NEW_FILE}`],
    ['export-history text --project proj_1', 'FILE text exists already; give the path of a new file'],
    ['backup text', `DIR text is a file; ${NEW_FOLDER}`],
    ['backup text/copy', `DIR text is a file; ${NEW_FOLDER}`],
    ['backup full', 'DIR full is not empty; give a new or empty directory'],
    ['export-facts text', `DIR text is a file; ${FOLDER}`],
    ['export-facts taken --format csv', `DIR taken/customers.csv is a directory; ${FOLDER}`],
  ];
  for (const [args, message] of refusals) {
    it(`of "${args}" is refused: ${message.slice(0, 70)}`, async () => {
      const ended = await subledger(args.split(' '), env, scratch);
      expect(ended).to.include({ code: 1, stderr: `${message}\n` });
    });
  }

  const unknown = 'project proj_1 not found; GET /v1/projects lists the ids of your projects\n';
  for (const args of ['export-history new --project proj_1', 'export-facts new --project proj_1'])
    it(`of "${args}" is not created for a project that does not exist`, async () => {
      expect(await subledger(args.split(' '), env, scratch)).to.deep.equal({ code: 1, stdout: '', stderr: unknown });
    });

  it('that is refused as rates names what is wrong with the file', async () => {
    const { code, stderr } = await subledger(['rates', 'import', 'text'], env, scratch);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^FILE text: .+; give eurofxref\.csv/);
  });

  it('leaves nothing unfinished where nothing could be written', () => {
    expect(readdirSync(scratch).sort()).to.deep.equal(
      ['empty', 'folder', 'full', 'taken', 'text', 'zipped', 'zipped-json'].sort(),
    );
  });
});
