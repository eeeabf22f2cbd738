// A data directory that lost a part: the service refuses to start, prints what to restore, and makes nothing in its place.
import { closeSync, cpSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { setUpProject, startHarness } from '../http/support/harness.js';
import { run } from './process.js';

describe('a data directory that lost a part', function () {
  this.timeout(120_000);
  const root = mkdtempSync(join(tmpdir(), 'subledger-lost-'));
  /** Copies of a sound directory, with its service stopped: an earlier one, and one of a moment later. */
  const [earlier, sound] = [join(root, 'earlier'), join(root, 'sound')];
  let copies = 0;
  before(async () => {
    const harness = await startHarness();
    await setUpProject(harness);
    await harness.service().idle();
    await harness.restart(async () => cpSync(harness.dataDir, earlier, { recursive: true }));
    await setUpProject(harness);
    await harness.service().idle();
    await harness.restart(async () => cpSync(harness.dataDir, sound, { recursive: true }));
    await harness.stop();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  /** A copy to break. */
  const broken = (breakIt: (directory: string) => void): string => {
    const directory = join(root, `copy${++copies}`);
    cpSync(sound, directory, { recursive: true });
    breakIt(directory);
    return directory;
  };
  const serve = (DATA_DIR: string) => run(['serve'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' });
  const expectRefusal = async (directory: string, message: RegExp, absent: string) => {
    const { code, output } = await serve(directory);
    expect(code, output).to.equal(78);
    expect(output)
      .to.match(message)
      .and.not.match(/^ +at /m);
    if (absent !== '') expect(existsSync(join(directory, absent)), absent).to.equal(false);
  };

  it('is refused without its log, instead of getting an empty one', async () => {
    const directory = broken((d) => rmSync(join(d, 'log.sqlite')));
    await expectRefusal(directory, /log\.sqlite is missing.*Restore log\.sqlite/, 'log.sqlite');
    // Also the second time: the first start has not made it sound in its own eyes.
    await expectRefusal(directory, /log\.sqlite is missing.*Restore log\.sqlite/, 'log.sqlite');
    const examined = await run(['doctor'], { DATA_DIR: directory });
    expect(examined.output).to.match(/PROBLEM {2}data: .*log\.sqlite/);
    expect(examined.code).to.equal(1);
  });

  it('is refused without its documents', async () => {
    const directory = broken((d) => rmSync(join(d, 'documents.sqlite')));
    await expectRefusal(directory, /documents\.sqlite is missing.*Restore documents\.sqlite/, 'documents.sqlite');
  });

  it('is refused without its master key, which is never replaced', async () => {
    const directory = broken((d) => rmSync(join(d, 'master.key')));
    await expectRefusal(directory, /master\.key.* is missing; restore that file/, 'master.key');
  });

  it('is refused with the log of another installation', async () => {
    const other = join(root, 'other');
    const harness = await startHarness();
    await setUpProject(harness);
    await harness.restart(async () => cpSync(harness.dataDir, other, { recursive: true }));
    await harness.stop();
    const directory = broken((d) => cpSync(join(other, 'log.sqlite'), join(d, 'log.sqlite')));
    await expectRefusal(directory, /was built from another event log/, '');
  });

  it('is refused with a log older than its documents: new events would be passed over', async () => {
    const directory = broken((d) => cpSync(join(earlier, 'log.sqlite'), join(d, 'log.sqlite')));
    await expectRefusal(directory, /but the log ends at \d+: events are missing/, '');
  });

  it('is refused with a damaged file, which doctor finds too', async () => {
    const overwrite = (file: string) => {
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(4096, 'x'), 0, 4096, 0);
      closeSync(handle);
    };
    for (const name of ['log.sqlite', 'documents.sqlite']) {
      const directory = broken((d) => overwrite(join(d, name)));
      await expectRefusal(directory, new RegExp(`${name} is damaged .*restore it from its backup`), '');
      const { code, output } = await run(['doctor'], { DATA_DIR: directory });
      expect(output).to.match(new RegExp(`PROBLEM {2}${name}: .* is damaged`));
      expect(code).to.equal(1);
    }
  });

  it('is found damaged by doctor also in the middle of a file', async () => {
    const directory = broken((d) => {
      const file = join(d, 'log.sqlite');
      const handle = openSync(file, 'r+');
      const { size } = statSync(file);
      for (let at = 8192; at < size; at += 8192) writeSync(handle, Buffer.alloc(512, 'x'), 0, 512, at);
      closeSync(handle);
    });
    const { code, output } = await run(['doctor'], { DATA_DIR: directory });
    expect(output).to.match(/PROBLEM {2}log\.sqlite: .* is damaged/);
    expect(code).to.equal(1);
  });
});
