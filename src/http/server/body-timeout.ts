// Time limits of request bodies. Node has one limit for all requests, which a large upload would exceed while it arrives.
import type { IncomingMessage } from 'node:http';

/** Pace of a slow phone: what arrives at it or faster is a large body, such as a receipt of several MB, and not one that trickles in. */
const BYTES_PER_SECOND = 16 * 1024;

const uploads = new WeakSet<IncomingMessage>();

/** From now on the time limit of this request applies to each pause of its body, and no longer to the whole request. */
export function limitPausesOnly(req: IncomingMessage): void {
  uploads.add(req);
}

/** From now on the time limit applies to the whole rest of the request. */
export function limitWhole(req: IncomingMessage): void {
  uploads.delete(req);
}

export type BodyTimeout = {
  watch(req: IncomingMessage): void;
  /** Forgets a request whose body has arrived, so that it is not retained until the next check. */
  release(req: IncomingMessage): void;
  /** Calls `expire` for each request over its limit. */
  check(): void;
};

/** `limitMs`: for a request, besides the time that its bytes take at the pace of a slow phone. `elapsed`: monotonic time, ms. */
export function createBodyTimeout(
  limitMs: number,
  elapsed: () => number,
  expire: (req: IncomingMessage) => void,
): BodyTimeout {
  const incomplete = new Map<IncomingMessage, { readonly since: number; readonly bytes: number }>();
  return {
    watch: (req) => void incomplete.set(req, { since: elapsed(), bytes: req.socket.bytesRead }),
    release: (req) => {
      if (req.complete) incomplete.delete(req);
    },
    check: () => {
      const now = elapsed();
      for (const [req, { since, bytes }] of incomplete) {
        const { bytesRead, destroyed } = req.socket;
        if (req.complete || destroyed) incomplete.delete(req);
        else if (uploads.has(req) && bytesRead !== bytes) incomplete.set(req, { since: now, bytes: bytesRead });
        else if (now - since > limitMs + ((bytesRead - bytes) / BYTES_PER_SECOND) * 1000) {
          incomplete.delete(req);
          expire(req);
        }
      }
    },
  };
}
