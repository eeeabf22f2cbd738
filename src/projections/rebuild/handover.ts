// Advances fresh builds together with the served ones, in the same steps, so that reads can switch over without a gap.
import type { Build } from '../runtime/projection.js';

export type Handover = {
  /** Resolves once the projector advances these builds together with the served ones; rejects if one of them cannot be folded. */
  join(builds: readonly Build[]): Promise<void>;
  /** Ends the handover, after reads have switched over or if they will not. */
  leave(): void;
  /** Restarts the projector, which retries parked documents and halted projections. */
  again(): void;
  readonly projector: {
    pending(): readonly Build[];
    /** Returns a signal that aborts when the pending builds change. */
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
