// Body of a stored notification, byte for byte as sent by the store.
import { joinBody, type PackedBody } from '../../domain/inbox/packed-body.js';
import { streams } from '../../domain/streams.js';
import { readStream, type EventLog } from './port.js';

/**
 * Returns the body. `stored` is its form in the event. Throws when the log lacks certificates that it refers to: the log is then
 * incomplete.
 */
export async function readRawBody(log: Pick<EventLog, 'read'>, stored: string | PackedBody): Promise<string> {
  if (typeof stored === 'string') return stored;
  const { certificates, ...parts } = stored;
  return joinBody({ ...parts, headers: await Promise.all(certificates.map((key) => readHeader(log, key))) });
}

async function readHeader(log: Pick<EventLog, 'read'>, key: string): Promise<string> {
  const stream = streams.certificates(key);
  for await (const event of readStream(log, stream)) return event.data.header;
  throw new Error(`${stream} is missing: a part of the log was lost; restore a backup`);
}
