// What a named copy of read models says of itself, in the copy.
import type { Doc } from '../documents/port.js';

export const replayCollection = { name: 'replay', indexes: [] };
export const replayInfoId = 'info';

/** What the copy was made from. `until`, `projectId`: null for everything. */
export type ReplayInfo = Doc & {
  readonly name: string;
  readonly readModels: readonly string[];
  /** Of the builds that it holds: another version of the code may know them under other names. */
  readonly collections: readonly string[];
  readonly until: string | null;
  /** The first instant that it does not cover. */
  readonly endsAt: string;
  readonly position: string;
  readonly projectId: string | null;
  readonly whatIf: Doc;
  readonly madeAt: string;
  /** How many it took in; older copies do not say. */
  readonly events?: number;
};
