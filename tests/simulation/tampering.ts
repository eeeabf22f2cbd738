// What stands between the service and its stores where a fault is planted.
import type { DocStore, Write } from '../../src/adapters/documents/port.js';

export type Stages = readonly (readonly Write[])[];

export function withWrite(docs: DocStore, write: (stages: Stages) => Promise<'ok' | 'lost'>): DocStore {
  return { ...docs, write };
}

export function withWrites(docs: DocStore, change: (write: Write) => Write): DocStore {
  return withWrite(docs, (stages) => docs.write(stages.map((stage) => stage.map(change))));
}
