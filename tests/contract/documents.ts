// What every document store must do, as a suite. Stores must not differ in anything that is said here.
import type { CollectionSpec, DocStore, Write } from '../../src/adapters/documents/port.js';
import { documentBulk } from './document-bulk.js';
import { documentScans } from './document-scans.js';
import { documentValues } from './document-values.js';
import { documentWrites } from './document-writes.js';

export type OpenedDocuments = {
  readonly store: DocStore;
  /** Closes the store; `store` is then another one on the same data. */
  reopen(): Promise<void>;
  /** Closes whatever is open and removes the data. */
  close(): Promise<void>;
};

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
  });
}

export const CUSTOMERS: CollectionSpec = {
  name: 'customers',
  indexes: [
    { name: 'byStatus', fields: ['status', 'dueAt'] },
    { name: 'byDueAt', fields: ['dueAt'] },
  ],
};

/** An insert that satisfies the indexes of {@link CUSTOMERS}. */
export function insert(id: string, doc: Write['doc'] & object = {}): Write {
  return { c: 'customers', id, expect: null, guard: '1', doc: { status: 'active', dueAt: '', ...doc } };
}
