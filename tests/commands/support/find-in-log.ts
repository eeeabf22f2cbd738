// Looks account tokens up in the log directly, so that specs need no read models.
import type { Doc } from '../../../src/adapters/documents/port.js';
import type { Deps, FindByAccountToken } from '../../../src/commands/handling/deps.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { transactions } from '../../../src/projections/models/transactions.js';
import { createFindTokensOfOrder } from '../../../src/projections/queries/tokens-of-order.js';
import { createFindByAccountToken } from '../../../src/projections/queries/find-customer.js';
import type { ReadModels } from '../../../src/projections/queries/read-models.js';
import { eventsOf } from './memory-deps.js';

export function findInLog(deps: Pick<Deps, 'log' | 'hash'>): FindByAccountToken {
  const pageOf = (docs: Iterable<Doc>, [projectId, ...rest]: readonly unknown[]) => {
    const isAsked = (doc: Doc) =>
      doc['projectId'] === projectId && rest.every((value) => Object.values(doc).includes(value as string));
    return { rows: [...docs].filter(isAsked).map((doc, n) => ({ id: `${n}`, doc })) };
  };
  const readModels = {
    scan: async (projection: Projection, { eq }: { eq: readonly unknown[] }) =>
      pageOf((await foldAll(deps, projection)).values(), eq),
    scanDerived: async (projection: Projection, name: string, { eq }: { eq: readonly unknown[] }) => {
      const derived = projection.derived?.find((d) => d.name === name);
      const docs = [...(await foldAll(deps, projection)).values()];
      return pageOf(
        docs.flatMap((doc) => [...(derived?.of(doc, deps.hash).values() ?? [])]),
        eq,
      );
    },
  };
  return createFindByAccountToken(readModels as unknown as ReadModels);
}

export function findTokensInLog(deps: Pick<Deps, 'log'>): Deps['findTokensOfOrder'] {
  const scan = async (_: Projection, { from = '', to = '' }: Partial<Record<'from' | 'to', string>>) => {
    const docs = await foldAll(deps, transactions);
    return { rows: [...docs].filter(([id]) => from <= id && id < to).map(([id, doc]) => ({ id, doc })) };
  };
  return createFindTokensOfOrder({ scan } as unknown as ReadModels);
}

async function foldAll({ log }: Pick<Deps, 'log'>, projection: Projection): Promise<Map<string, Doc>> {
  const docs = new Map<string, Doc>();
  for (const event of await eventsOf(log)) {
    for (const id of projection.keys(event)) {
      const doc = projection.fold(docs.get(id), event, id, (peer) => docs.get(peer));
      if (doc) docs.set(id, doc);
      else docs.delete(id);
    }
  }
  return docs;
}
