// `subledger vacuum` on the files of a stopped service, beside a running one, and where there is nothing to rewrite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { setUpProject, type Slice } from '../http/support/harness.js';
import { setUpHarness } from '../http/support/setup.js';
import { subledger } from './command-line.js';

describe('subledger vacuum', function () {
  this.timeout(120_000);
  const harness = setUpHarness();
  let slice: Slice;
  before(async () => {
    slice = await setUpProject(harness);
    await harness.service().idle();
  });
  const vacuum = (...args: string[]) => subledger(['vacuum', ...args], { DATA_DIR: harness.dataDir });

  it('rewrites both files of a stopped service, which starts on them again', async () => {
    await harness.call('POST', '/v1/subscribers/ann', { attributes: { colour: 'blue' } }, { key: slice.secretKey });
    await harness.restart(async () => {
      const { code, stdout, stderr } = await vacuum();
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.match(
        /^log\.sqlite: \d+\.\d MB freed, \d+\.\d MB in use\ndocuments\.sqlite: \d+\.\d MB freed, \d+\.\d MB in use\n$/,
      );
      const [log, documents] = JSON.parse((await vacuum('--json')).stdout);
      expect([log.file, documents.file]).to.deep.equal(['log.sqlite', 'documents.sqlite']);
      expect(documents.bytesFreed).to.equal(documents.bytesBefore - documents.bytesAfter);
    });
    const { body } = await harness.call('GET', '/v1/subscribers/ann', undefined, { key: slice.secretKey });
    expect(body.subscriber.attributes.colour.value).to.equal('blue');
  });

  it('is refused while a service runs on the files', async () => {
    const { code, stderr } = await vacuum();
    expect(code).to.equal(1);
    expect(stderr).to.include('is in use by another Subledger process');
  });

  it('is refused where there is no data', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'subledger-empty-'));
    const { code, stderr } = await subledger(['vacuum'], { DATA_DIR: join(empty, 'nowhere') });
    rmSync(empty, { recursive: true });
    expect(code).to.equal(1);
    expect(stderr).to.include('does not exist');
  });
});
