// What stands between the service and its stores where a fault is planted.
import type { DocStore, Write } from '../../src/adapters/documents/port.js';
import type { StoreIntegration, Stores } from '../../src/commands/stores/store-integration.js';

export type Stages = readonly (readonly Write[])[];

export function withWrite(docs: DocStore, write: (stages: Stages) => Promise<'ok' | 'lost'>): DocStore {
  return { ...docs, write };
}

export function withWrites(docs: DocStore, change: (write: Write) => Write): DocStore {
  return withWrite(docs, (stages) => docs.write(stages.map((stage) => stage.map(change))));
}

/** Writes whatever is stored, as long as that is not gone meanwhile. */
export function withoutGuards(docs: DocStore, isOf: (c: string) => boolean): DocStore {
  return withWrite(docs, async (stages) => {
    const force = async (write: Write): Promise<Write> =>
      isOf(write.c) ? { ...write, expect: (await docs.get(write.c, [write.id])).get(write.id)?.guard ?? null } : write;
    return docs.write(await Promise.all(stages.map((stage) => Promise.all(stage.map(force)))));
  });
}

export function withIntegration(stores: Stores, change: (store: StoreIntegration) => StoreIntegration): Stores {
  return { of: (kind) => change(stores.of(kind)) };
}

export function datedAs(signedDate: number, decoded: unknown): unknown {
  const { data, ...outer } = decoded as { data?: { transaction?: object; renewal?: object } };
  if (!data) return decoded;
  const dated = (part: object | undefined) => part && { ...part, signedDate };
  return {
    ...outer,
    signedDate,
    data: { ...data, transaction: dated(data.transaction), renewal: dated(data.renewal) },
  };
}
