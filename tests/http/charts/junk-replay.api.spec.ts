// What may lie in the folder of replays besides replays: no request for it is answered with 500.
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedDocuments } from '../../../src/adapters/documents/embedded/store.js';
import { setUpService } from '../support/set-up.js';

describe('a file in replays/ that is no replay', () => {
  const { harness, slice } = setUpService();
  before(async () => {
    const folder = join(harness.dataDir, 'replays');
    mkdirSync(join(folder, 'folder.sqlite'), { recursive: true });
    writeFileSync(join(folder, 'junk.sqlite'), 'x'.repeat(10_000));
    writeFileSync(join(folder, 'empty.sqlite'), '');
    const other = await openEmbeddedDocuments({ file: join(folder, 'other.sqlite') });
    await other.close();
    const cut = await openEmbeddedDocuments({ file: join(folder, 'cut.sqlite') });
    await cut.ensure([{ name: 'replay', indexes: [] }]);
    await cut.close();
    truncateSync(join(folder, 'cut.sqlite'), 4096);
  });

  for (const name of ['junk', 'empty', 'folder', 'other', 'cut']) {
    it(`is no replay: ${name}`, async () => {
      const path = `/v1/projects/${slice.projectId}/metrics/charts/actives?replay=${name}`;
      for (const time of ['once', 'again']) {
        const { status, body } = await harness.call('GET', path, undefined, { token: slice.token });
        expect(status, time).to.equal(404);
        expect(body.message).to.include('subledger replay charts --as');
      }
    });
  }
});
