// The body of a kept notification as the store sent it, byte for byte.
import type { CertificatesEvent } from '../../domain/inbox/certificates.js';
import { putTogether, type PackedBody } from '../../domain/inbox/packed-body.js';
import { streams } from '../../domain/streams.js';
import type { EventLog } from './port.js';

/** `kept`: as the event holds it. Throws when the log lacks certificates that it names: it is not whole. */
export async function readRawBody(log: Pick<EventLog, 'read'>, kept: string | PackedBody): Promise<string> {
  if (typeof kept === 'string') return kept;
  const { certificates, ...parts } = kept;
  return putTogether({ ...parts, headers: await Promise.all(certificates.map((key) => readHeader(log, key))) });
}

async function readHeader(log: Pick<EventLog, 'read'>, key: string): Promise<string> {
  const stream = streams.certificates(key);
  for await (const event of log.read(stream)) return (event.data as CertificatesEvent['data']).header;
  throw new Error(`${stream} is missing in the log: a part of it was lost; restore a backup`);
}
