// Personal fields of all documents, and an engine with those fields encrypted.
import { sealDocuments, type PersonalFields } from '../adapters/documents/sealed-fields.js';
import type { Engine } from '../adapters/engine/engine.js';
import type { DocStore } from '../adapters/documents/port.js';
import type { DataKeys } from '../adapters/event-log/sealing.js';
import type { Runtime } from '../adapters/runtime.js';
import { deliveryBodyCollection, personalInBody } from '../commands/webhooks/deliveries.js';
import { projections } from '../projections/rebuild/registry.js';

const personalFields: ReadonlyMap<string, PersonalFields> = new Map([
  ...projections.flatMap(({ name, personal }) => (personal ? [[name, personal] as const] : [])),
  [deliveryBodyCollection.name, personalInBody],
]);

type Random = Pick<Runtime, 'randomBytes'>;

/** Encrypts personal fields in documents of read models and bodies of deliveries; export and import move them in encrypted form. */
export function sealPersonalFields(docs: DocStore, keys: DataKeys, runtime: Random, isAlone = false): DocStore {
  return sealDocuments(docs, { keys, isAlone, randomBytes: (size) => runtime.randomBytes(size) }, personalFields);
}

export function sealEngine(engine: Engine, runtime: Random): Engine {
  return { ...engine, docs: sealPersonalFields(engine.docs, engine.dataKeys, runtime, !engine.isShared) };
}
