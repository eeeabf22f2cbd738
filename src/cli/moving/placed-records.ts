// Records that contain positions of the log. When they move to another log, the positions are replaced by those of the same events there,
// so that subscriptions continue after the last processed event.
import type { Doc, Json } from '../../adapters/documents/port.js';
import type { LogPosition } from '../../domain/envelope.js';
import { deliveryCollection } from '../../commands/webhooks/deliveries.js';
import { parkedEventCollection } from '../../commands/handling/parked-events.js';
import { reactionCheckpointCollection } from '../../workers/reactions/reaction.js';
import { endpointCollection } from '../../workers/webhooks/endpoints.js';
import type { DumpedRecord } from './dump-file.js';

export type Move = {
  /** Identities of the logs. */
  readonly from: string;
  readonly to: string;
  /** Returns the new position of the last event up to the old one. */
  readonly placeOf: (old: string) => LogPosition;
};

const movers: ReadonlyMap<string, (doc: Doc, move: Move) => Doc> = new Map([
  [reactionCheckpointCollection.name, moveCheckpoint],
  [parkedEventCollection.name, (doc: Doc, { placeOf }: Move) => ({ ...doc, position: placeOf(text(doc['position'])) })],
  [endpointCollection.name, moveEndpoint],
  [deliveryCollection.name, moveDelivery],
]);

export function hasPosition({ c }: DumpedRecord): boolean {
  return movers.has(c);
}

export function moveRecord({ c, doc }: DumpedRecord, move: Move): Doc {
  return movers.get(c)?.(doc, move) ?? doc;
}

/** Leaves a checkpoint of another log unchanged, which makes it invalid. */
function moveCheckpoint(doc: Doc, { from, to, placeOf }: Move): Doc {
  if (doc['log'] !== undefined && doc['log'] !== from) return doc;
  return { ...doc, position: placeOf(text(doc['position'])), log: to };
}

function moveEndpoint(doc: Doc, { placeOf }: Move): Doc {
  const versions = (doc['versions'] ?? []) as readonly { readonly [field: string]: Json | undefined }[];
  return { ...doc, versions: versions.map((version) => ({ ...version, from: placeOf(text(version['from'])) })) };
}

/** Places the delivery before all new ones, and keeps the old order among the moved ones, also for events of one append. */
function moveDelivery(doc: Doc, { placeOf }: Move): Doc {
  const place = text(doc['place']);
  const [position = ''] = place.split('|');
  return { ...doc, place: `${placeOf(position)}|~${place}` };
}

function text(value: Json | undefined): string {
  return String(value ?? '');
}
