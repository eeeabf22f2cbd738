// Text as it is stored in an event: compressed with gzip, in base64.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];
/** A text is packed from a million characters, of up to four bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

export async function packText(text: string): Promise<string> {
  return (await compress(text)).toString('base64');
}

export async function unpackText(packed: string): Promise<string> {
  return (await decompress(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_BYTES })).toString();
}
