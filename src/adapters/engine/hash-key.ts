// The key behind derived ids and stream names. Made with the log, kept as a record, never changed.
import { IncompleteData } from './data-completeness.js';
import { START, type EventLog } from '../event-log/port.js';
import type { DataKeys } from '../event-log/sealing.js';

const NAMING = 'naming';

/** Undefined before the first start of the service. */
export async function storedNamingKey(dataKeys: DataKeys): Promise<Buffer | undefined> {
  return (await dataKeys.forOpening([NAMING])).get(NAMING)?.[0];
}

/** A log without its key cannot be read by anybody: then its records are missing, and a new key would hide that. */
export async function namingKey(o: { readonly log: EventLog; readonly dataKeys: DataKeys }): Promise<Buffer> {
  const stored = await storedNamingKey(o.dataKeys);
  if (stored) return stored;
  if ((await o.log.head()) !== START) {
    throw new IncompleteData('the log has events but its naming key is missing: restore the records from their backup');
  }
  return o.dataKeys.forSealing(NAMING);
}
