// Adds the changes of documents to the sums over them. Each sum is read and written once per batch.
import type { DocStore, Scalar, StoredDocument, Write } from '../../adapters/documents/port.js';
import type { Addition, SumDoc } from './projection.js';

export type PositionedAddition = Addition & { readonly position: string };
type Sum = { readonly guard: string | null; readonly cells: Map<string, number>; fields: Fields; position: string };
type Fields = { readonly [field: string]: Scalar };

/**
 * `additions`: in the order of the log. With `new`, those that a sum already contains, by its guard, are skipped; with `all`, the caller knows
 * that no sum contains any.
 */
export async function applyAdditions(
  docs: Pick<DocStore, 'get'>,
  c: string,
  additions: readonly PositionedAddition[],
  which: 'new' | 'all' = 'new',
): Promise<Write[]> {
  const ids = [...new Set(additions.map((a) => a.id))];
  const stored = ids.length > 0 ? await docs.get(c, ids) : new Map<string, StoredDocument>();
  const sums = new Map<string, Sum>();
  for (const { id, fields, cells, position } of additions) {
    const guard = stored.get(id)?.guard ?? null;
    if (which === 'new' && guard !== null && position <= guard) continue;
    const sum = sums.get(id) ?? { guard, cells: cellsOf(stored.get(id)), fields, position };
    sums.set(id, sum);
    sum.position = position;
    for (const [cell, value] of cells) {
      const next = (sum.cells.get(cell) ?? 0) + value;
      if (next === 0) sum.cells.delete(cell);
      else sum.cells.set(cell, next);
    }
  }
  return [...sums].map(([id, { guard, cells, fields, position }]) => {
    const doc = cells.size === 0 ? null : { ...fields, cells: Object.fromEntries(cells) };
    return { c, id, expect: guard, guard: position, doc };
  });
}

function cellsOf(stored: StoredDocument | undefined): Map<string, number> {
  return new Map(Object.entries((stored?.doc as SumDoc | null | undefined)?.cells ?? {}));
}
