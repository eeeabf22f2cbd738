// Key that derived ids and stream names are hashed with. Created with the log, stored as a record, never changed.
import { IncompleteData } from './data-completeness.js';
import { START, type EventLog } from '../event-log/port.js';
import type { DataKeys } from '../event-log/sealing.js';

const NAMING = 'naming';

/** Returns the stored key; undefined before the first start of the service. */
export async function readNamingKey(dataKeys: DataKeys): Promise<Buffer | undefined> {
  return (await dataKeys.forOpening([NAMING])).get(NAMING)?.[0];
}

/**
 * Returns the key, created on an empty log. A log without its key cannot be read: its records are then missing, and a new key would conceal
 * that.
 */
export async function ensureNamingKey(o: { readonly log: EventLog; readonly dataKeys: DataKeys }): Promise<Buffer> {
  const stored = await readNamingKey(o.dataKeys);
  if (stored) return stored;
  if ((await o.log.head()) !== START) {
    throw new IncompleteData('the log has events but its naming key is missing; restore the records from their backup');
  }
  return o.dataKeys.forSealing(NAMING);
}
