// Distribution of a rebuild's documents to portions, and of portions to parts.
import { expect } from 'chai';
import { createRouting } from '../../../src/projections/runtime/routing.js';
import { chance, withSeed } from '../support/seeded-random.js';
import { logPosition } from '../../../src/domain/envelope.js';

type NotedEvent = { readonly position: number; readonly ids: readonly string[] };

const PORTION = 10;
const PART = 40;

/** Events of some customers, of whom a few are tied to another by an event that names both. */
function someEvents(random: ReturnType<typeof chance>): NotedEvent[] {
  return Array.from({ length: 400 }, (_, i) => {
    const customerId = `cus_${random.below(60)}`;
    const ids = random.below(40) === 0 ? [customerId, `cus_${random.below(60)}`] : [customerId];
    return { position: i + 1, ids };
  });
}

function dealt(events: readonly NotedEvent[], bounds?: readonly number[]) {
  const routing = createRouting(PORTION);
  for (const { position, ids } of events) routing.add(logPosition(position), ids);
  const deal = routing.deal(PART, bounds);
  const parts = deal.bounds.map((_, part) => [...deal.portionsOf(part)].map((portion) => portion.map(Number)));
  return { bounds: deal.bounds, parts };
}

describe('the dealing of a build', () => {
  it('gives every event to one portion, with all that its documents are tied to', async () => {
    const random = chance();
    await withSeed(random, async () => {
      const events = someEvents(random);
      const portions = dealt(events).parts.flat();
      expect(portions.flat().sort((a, b) => a - b)).to.deep.equal(events.map((e) => e.position));
      const portionOf = new Map<string, number>();
      for (const [i, portion] of portions.entries()) {
        expect(portion, 'in the order of the log').to.deep.equal(portion.toSorted((a, b) => a - b));
        for (const position of portion) {
          for (const id of events[position - 1]?.ids ?? []) {
            expect(portionOf.get(id) ?? i, id).to.equal(i);
            portionOf.set(id, i);
          }
        }
      }
    });
  });

  it('creates portions up to the requested size, except for larger documents', () => {
    const large = Array.from({ length: 35 }, (_, i) => ({ position: i + 1, ids: ['large'] }));
    const small = Array.from({ length: 60 }, (_, i) => ({ position: i + 36, ids: [`small ${i % 15}`] }));
    const sizes = dealt([...large, ...small]).parts.map((portions) => portions.map((p) => p.length));
    expect(sizes).to.deep.equal([
      [35, 8],
      [8, 8, 8, 8, 8],
      [8, 4],
    ]);
  });

  it('leaves all documents in their part after an erasure', async () => {
    const random = chance();
    await withSeed(random, async () => {
      const events = Array.from({ length: 400 }, (_, i) => ({ position: i + 1, ids: [`cus_${random.below(60)}`] }));
      const before = dealt(events);
      const erased = `cus_${random.below(60)}`;
      const left = events.filter((e) => !e.ids.includes(erased));
      const after = dealt(left, before.bounds);
      const positions = new Set(left.map((e) => e.position));
      const kept = before.parts.map((portions) => portions.flat().filter((p) => positions.has(p)));
      expect(after.parts.map((portions) => new Set(portions.flat()))).to.deep.equal(kept.map((p) => new Set(p)));
    });
  });
});
