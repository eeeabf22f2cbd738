// Deals the documents of a build out to portions that fit in memory many times over, and keeps which events each portion needs.
import type { LogPosition } from '../../domain/envelope.js';

export type Routing = {
  /** Documents that one event names come to lie in one portion: a fold may look from one at the other. */
  note(position: LogPosition, ids: readonly string[]): void;
  /**
   * Call it once, when all events are noted. `partSize`: events. `bounds` are those of the dealing that is gone on with: what has been
   * erased from the log meanwhile moves nothing else to another part.
   */
  deal(partSize: number, bounds?: readonly number[]): Dealt;
};

export type Dealt = {
  /** A part holds the documents that are first named before its bound, and not before that of the part before. */
  readonly bounds: readonly number[];
  /** Events of all parts. */
  readonly size: number;
  /** Each with the events that name its documents, in the order of the log; no event is in two portions. To be taken once. */
  portionsOf(part: number): Generator<readonly LogPosition[]>;
};

const DIGITS = 20;

/**
 * A document is known by a hash of its id; two with one hash share a portion, which is all that follows from it. A portion has
 * `portionSize` events, or the documents that are in it have more by themselves.
 */
export function createRouting(portionSize: number): Routing {
  // Two plain arrays: an object per event would take ten times the room.
  let positions: number[] = [];
  let hashes: number[] = [];
  const parents = new Map<number, number>();
  const rootOf = (hash: number): number => {
    let root = hash;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    if (root !== hash) parents.set(hash, root);
    return root;
  };
  return {
    note(position, ids) {
      const [id = ''] = ids;
      const first = hashOf(id);
      for (const other of ids) {
        if (other === id) continue;
        const [a, b] = [rootOf(first), rootOf(hashOf(other))];
        if (a !== b) parents.set(b, a);
      }
      positions.push(Number(position));
      hashes.push(first);
    },
    deal(partSize, bounds) {
      const size = positions.length;
      const tied = tiedEvents();
      const ends = bounds ?? boundsOf(tied, partSize);
      let next = 0;
      return {
        bounds: ends,
        size,
        *portionsOf(part) {
          const end = ends[part] ?? Infinity;
          const begin = part === 0 ? 0 : (ends[part - 1] ?? Infinity);
          let portion: number[] = [];
          for (; next < tied.length; next++) {
            const own = tied[next] ?? [];
            const [first = 0] = own;
            if (first >= end) break;
            if (first < begin) continue;
            tied[next] = [];
            if (portion.length > 0 && portion.length + own.length > portionSize) {
              yield inOrder(portion);
              portion = [];
            }
            portion = portion.concat(own);
          }
          if (portion.length > 0) yield inOrder(portion);
        },
      };
    },
  };

  /** In the order in which they begin: documents that are first named together are often named together later, and so are read together. */
  function tiedEvents(): number[][] {
    const byRoot = new Map<number, number[]>();
    for (const [i, position] of positions.entries()) {
      const root = rootOf(hashes[i] ?? 0);
      const own = byRoot.get(root);
      if (own) own.push(position);
      else byRoot.set(root, [position]);
    }
    [positions, hashes] = [[], []];
    parents.clear();
    return [...byRoot.values()];
  }
}

function boundsOf(tied: readonly (readonly number[])[], partSize: number): number[] {
  const bounds: number[] = [];
  let size = 0;
  for (const own of tied) {
    if (size >= partSize) {
      bounds.push(own[0] ?? 0);
      size = 0;
    }
    size += own.length;
  }
  return [...bounds, Number.MAX_SAFE_INTEGER];
}

function inOrder(positions: readonly number[]): LogPosition[] {
  return positions.toSorted((a, b) => a - b).map((n) => String(n).padStart(DIGITS, '0') as LogPosition);
}

/** FNV-1a, 31 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 1;
}
