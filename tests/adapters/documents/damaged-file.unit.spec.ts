// A file of documents that was cut: whoever reads is told that it cannot be read, in whatever way.
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  openEmbeddedDocuments,
  openEmbeddedDocumentsForReading,
} from '../../../src/adapters/documents/embedded/store.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { Unavailable } from '../../../src/domain/errors.js';

const PAGE = 4096;
const spec = { name: 'notes', indexes: [] };

describe('documents of a file that was cut', () => {
  let directory: string;
  before(async () => void (directory = await mkdtemp(join(tmpdir(), 'subledger-cut-'))));
  after(() => rm(directory, { recursive: true, force: true }));

  it('cannot be read one by one, several at once or page by page, which is not a fault of the service', async () => {
    const file = join(directory, 'documents.sqlite');
    const writing = await openEmbeddedDocuments({ file });
    await writing.ensure([spec]);
    await writing.close();
    await truncate(file, PAGE);
    // Some versions of SQLite notice it when they open the file, others when they read it.
    const reading = async (read: (docs: DocStore) => Promise<unknown>) => {
      const docs = openEmbeddedDocumentsForReading({ file });
      await docs.ensure([spec]);
      try {
        await read(docs);
      } finally {
        await docs.close();
      }
    };
    const reads: readonly ((docs: DocStore) => Promise<unknown>)[] = [
      (docs) => docs.get('notes', ['a']),
      (docs) => docs.get('notes', ['a', 'b']),
      (docs) => docs.scan('notes', { index: 'id', eq: [], limit: 10 }),
    ];
    for (const read of reads) {
      const err = await reading(read).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(err).to.be.instanceOf(Unavailable);
      expect((err as Error).message).to.include('subledger doctor');
    }
  });
});
