// The one rule of what an append's expected revision means (EventStoreDB's CheckCommit), shared by the adapters.
import type { Revision } from '../../domain/envelope.js';
import type { Expected } from './port.js';

/** `current`: the last revision. `base`: the one an erase ended at. Both are -1 on a stream that never was; equal = no events. */
export type StreamState = { readonly base: Revision; readonly current: Revision };

/** `repeatAfter`: success iff the stored ids after this revision begin with the given ones. */
export type Verdict = 'append' | 'refuse' | { readonly repeatAfter: Revision };

export function checkCommit(expected: Expected, { base, current }: StreamState): Verdict {
  if (expected === 'any') return 'append';
  const revision = expected === 'none' ? base : expected;
  if (revision === current) return 'append';
  // Behind an erase there are no ids left to compare with.
  return revision > current || revision < base ? 'refuse' : { repeatAfter: revision };
}

export function actualOf({ base, current }: StreamState): Revision | 'none' {
  return current === base ? 'none' : current;
}
