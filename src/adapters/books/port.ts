// Port of report files: what a store lets people download, as rows of text.

export interface ReportFiles {
  /**
   * Reads a file: text with commas or tabs, in UTF-8 or UTF-16, also compressed with gzip or in a ZIP archive. `onRow` gets each row with
   * its line number, from 1. Throws `Rejection` for a file that cannot be read, `UploadRefused` for one that is too large, and what `onRow`
   * throws.
   */
  read(content: AsyncIterable<Uint8Array>, onRow: OnRow): Promise<ReadFile>;
}

export type OnRow = (line: number, cells: readonly string[]) => void;

/** Digests in hexadecimal: `sha256` and `bytes` are of the file as it was sent, `contentSha256` is of what was in it. */
export type ReadFile = { readonly sha256: string; readonly contentSha256: string; readonly bytes: number };
