// Shared setup of the document store contract: the store under test, and one collection with its documents.
import type { CollectionSpec, DocStore, Write } from '../../src/adapters/documents/port.js';

export type OpenedDocuments = {
  readonly store: DocStore;
  /** Closes the store; `store` is then another one on the same data. */
  reopen(): Promise<void>;
  /** Closes whatever is open and removes the data. */
  close(): Promise<void>;
};

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
