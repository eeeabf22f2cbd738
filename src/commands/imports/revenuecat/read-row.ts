// A row that cannot be read becomes a problem, and the other rows are read on.
import { z } from 'zod';
import type { ImportedCustomer } from '../../../domain/imports/facts.js';
import type { FileRow, ReadRow } from '../../../domain/imports/problems.js';
import { UnreadableCell } from './cells.js';

/** Returns a customer of whom only the name is known. */
export function unknownCustomer(name: string): ImportedCustomer {
  const unknown = { firstSeenAt: null, lastSeenAt: null, country: null, platform: null };
  return { appUserId: name, aliases: [], ...unknown, attributes: {} };
}

/** Returns a problem for a row that cannot be read. */
export function orProblem(from: FileRow['from'], read: () => ReadRow): ReadRow {
  try {
    return read();
  } catch (err) {
    if (!(err instanceof UnreadableCell || err instanceof z.ZodError)) throw err;
    const detail = err instanceof UnreadableCell ? err.message : z.prettifyError(err).replace(/\s+/g, ' ');
    return { facts: [], problems: [{ code: 'unreadable', from, detail }] };
  }
}
