// Contract of document stores, as one suite.
import { documentBulk } from './document-bulk.js';
import { documentRecords } from './document-records.js';
import { documentScans } from './document-scans.js';
import { documentValues } from './document-values.js';
import { documentWrites } from './document-writes.js';
import { CUSTOMERS, type OpenedDocuments } from './opened-documents.js';

/** `open` gives an empty store, opened once for all cases: each begins with a drop, which most stores do sooner than a start. */
export function documentsContract(name: string, open: () => Promise<OpenedDocuments>): void {
  describe(`document store contract: ${name}`, () => {
    let opened: OpenedDocuments;
    before(async () => {
      opened = await open();
    });
    beforeEach(async () => {
      await opened.store.drop('customers');
      await opened.store.drop('checkpoints');
      await opened.store.ensure([CUSTOMERS]);
    });
    after(() => opened.close());
    const current = () => opened;
    documentWrites(current);
    documentScans(current);
    documentValues(current);
    documentBulk(current);
    documentRecords(current);
  });
}
