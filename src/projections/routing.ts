// Deals the documents of a long build out to parts that fit in memory one after the other, and keeps which events each part needs.
import type { LogPosition } from '../domain/envelope.js';

export type Routing = {
  /** Documents that one event names come to lie in one part: a fold may look from one at the other. */
  note(position: LogPosition, ids: readonly string[]): void;
  /** Call these when all events are noted. */
  partOf(id: string): number;
  /** In the order of the log, each once. */
  positionsOf(part: number): readonly LogPosition[];
};

const DIGITS = 20;

/** A document is known by a hash of its id; two with one hash share a part, which is all that follows from it. */
export function createRouting(parts: number): Routing {
  // Two plain arrays: an object per event would take ten times the room.
  let positions: number[] = [];
  let hashes: number[] = [];
  let dealt: number[][] | undefined;
  const parents = new Map<number, number>();
  const rootOf = (hash: number): number => {
    let root = hash;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    if (root !== hash) parents.set(hash, root);
    return root;
  };
  const partOfHash = (hash: number) => rootOf(hash) % parts;
  return {
    note(position, ids) {
      const [first = 0, ...others] = ids.map(hashOf);
      for (const other of others) {
        const [a, b] = [rootOf(first), rootOf(other)];
        if (a !== b) parents.set(b, a);
      }
      const number = Number(position);
      for (let i = positions.length - 1; positions[i] === number; i--) if (hashes[i] === first) return;
      positions.push(number);
      hashes.push(first);
    },
    partOf: (id) => partOfHash(hashOf(id)),
    positionsOf: (part) => {
      dealt ??= deal();
      return (dealt[part] ?? []).map((position) => String(position).padStart(DIGITS, '0') as LogPosition);
    },
  };

  function deal(): number[][] {
    const all = Array.from({ length: parts }, (): number[] => []);
    for (const [i, position] of positions.entries()) {
      const own = all[partOfHash(hashes[i] ?? 0)];
      if (own && own.at(-1) !== position) own.push(position);
    }
    [positions, hashes] = [[], []];
    return all;
  }
}

/** FNV-1a, 31 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 1;
}
