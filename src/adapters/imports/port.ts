// Ports of imports: rows of files, and a staging area that groups facts by customer in bounded memory.
import type { ImportedFact } from '../../domain/imports/facts.js';
import type { ImportedRow } from '../../domain/envelope.js';
import type { FileRow } from '../../domain/imports/problems.js';

/**
 * A file that cannot be read as a whole. The message names the file, the row where it is known, and what to do. `cause`: error of the library
 * that reads it, for the log of the service.
 */
export class UnreadableFile extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableFile';
  }
}

/** Limits how much the files of an import may still unpack to. */
export type ReadBudget = {
  /** Throws {@link UnreadableFile} once more bytes were taken than there were. */
  take(bytes: number): void;
  /** Throws {@link UnreadableFile} once more rows were taken than there were. */
  takeRow(): void;
};

/** Table with named columns, or lines of JSON. `bytesRead`: bytes of the file so far, for an estimate. */
export type OpenedFile = {
  readonly name: string;
  readonly size: number;
  bytesRead(): number;
} & (
  | {
      readonly format: 'table';
      readonly columns: readonly string[];
      /** Throws {@link UnreadableFile}. */
      rows(): AsyncIterable<FileRow>;
    }
  | {
      readonly format: 'lines';
      /** Throws {@link UnreadableFile}. */
      lines(): AsyncIterable<{ readonly from: FileRow['from']; readonly line: unknown }>;
    }
);

export type CustomerFacts = readonly [ImportedFact, ...ImportedFact[]];

/**
 * Customer of an import. `facts`: as JSON; of a customer who has more than an import takes, only the first. `omittedCount`: number of facts of such
 * a customer, who is left out; else 0.
 */
export type StagedCustomer = { readonly facts: readonly [string, ...string[]]; readonly omittedCount: number };

/** Rows of two customers with the same name. */
export type SharedName = { readonly rows: readonly [ImportedRow, ImportedRow?] };

export type MovedRow = { readonly from: ImportedRow; readonly isSandbox: boolean };

/** Facts on disk, grouped by customer. Used once: facts are added, grouped, then read. */
export interface ImportStaging {
  add(facts: readonly ImportedFact[]): void;
  /**
   * Groups the facts. A name of one customer leads to that customer; a name of several leads to none of them. A purchase line belongs to
   * the customer of its newest row. `moved`: rows of other customers about such a line.
   */
  group(): Promise<{ readonly customers: number; readonly facts: number; readonly moved: readonly MovedRow[] }>;
  /** Yields all names of several customers. */
  sharedNames(): Iterable<SharedName>;
  /** Returns true for a name of several customers. */
  isShared(name: string): boolean;
  /** Yields all customers, in the same order for the same facts. A customer with too many is never in memory as a whole. */
  customers(): Iterable<StagedCustomer>;
  close(): void;
}

/** Uploaded files on the machine of this process, a folder for each import. */
export interface ImportUploads {
  /** Counts an upload as arriving until `end`. `id`: what it belongs to. `count`: uploads that arrive for it, this one included. */
  begin(id: string): { readonly count: number; readonly end: () => void };
  /** Returns the path of the stored file. Throws `UploadRefused`, `Unavailable`, and the error of `parts`, and leaves no file then. */
  store(importId: string, fileName: string, parts: AsyncIterable<Uint8Array>): Promise<string>;
  isHere(importId: string): boolean;
  /** Deletes the files of an import. */
  discard(importId: string): Promise<void>;
  discardPath(path: string): Promise<void>;
  /** Returns all imports with a folder. `changedAtMs`: last write to one of its files, UTC ms. */
  list(): Promise<readonly { readonly importId: string; readonly changedAtMs: number }[]>;
}
