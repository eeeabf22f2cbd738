// Rule for the expected revision of an append (EventStoreDB's CheckCommit), shared by all adapters.
import type { Revision } from '../../domain/envelope.js';
import type { ExpectedRevision } from './port.js';

/**
 * State of a stream. `current` is the last revision, `base` the last erased one. Both are -1 for a stream that never existed; equal means
 * no events.
 */
export type StreamState = { readonly base: Revision; readonly current: Revision };

/** Decision on an append. `repeatAfter`: it succeeds iff the stored ids after this revision begin with the given ones. */
export type AppendDecision = 'append' | 'refuse' | { readonly repeatAfter: Revision };

export function checkCommit(expected: ExpectedRevision, { base, current }: StreamState): AppendDecision {
  if (expected === 'any') return 'append';
  const revision = expected === 'none' ? base : expected;
  if (revision === current) return 'append';
  // Erased events have no ids left to compare with.
  return revision > current || revision < base ? 'refuse' : { repeatAfter: revision };
}

export function actualRevision({ base, current }: StreamState): Revision | 'none' {
  return current === base ? 'none' : current;
}
