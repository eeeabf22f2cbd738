// Moves fresh builds along with the served ones, in the same steps, so that reads can go over from one to the other without a gap.
import type { Build } from '../runtime/projection.js';

export type Handover = {
  /** Resolves once the projector keeps these builds where the served ones are; rejects when one of them cannot be folded. */
  join(builds: readonly Build[]): Promise<void>;
  /** After reads have gone over, or when they will not. */
  leave(): void;
  /** Lets the projector begin anew, with what it had parked or was halted at. */
  again(): void;
  readonly projector: {
    pending(): readonly Build[];
    /** Aborts with the next change of what is pending. */
    change(): AbortSignal;
    joined(): void;
    failed(err: unknown): void;
  };
};

export function createHandover(): Handover {
  let builds: readonly Build[] = [];
  let changing = new AbortController();
  let waiting: { readonly resolve: () => void; readonly reject: (err: unknown) => void } | null = null;
  const change = (next: readonly Build[]) => {
    builds = next;
    changing.abort();
    changing = new AbortController();
  };
  return {
    join: (next) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        change(next);
      }),
    leave: () => change([]),
    again: () => change(builds),
    projector: {
      pending: () => builds,
      change: () => changing.signal,
      joined: () => {
        if (builds.length > 0) waiting?.resolve();
      },
      failed: (err) => waiting?.reject(err),
    },
  };
}
