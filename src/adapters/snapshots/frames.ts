// Bytes in frames with a checksum each, the last of which is empty: what was cut off, or changed anywhere, is found out when it is read.
import { promisify } from 'node:util';
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { DamagedSnapshot, type SnapshotReader } from './port.js';

/** Raw bytes of a frame. */
export const FRAME_BYTES = 1 << 20;
/** Length as it is kept, length, checksum. */
const HEAD_BYTES = 12;

/** Each is one frame. Deflated they take a fifth of the room, and ten times as long to read. */
export async function* framesOf(
  parts: Iterable<Uint8Array>,
  isDeflated: boolean,
): AsyncGenerator<Uint8Array, undefined> {
  let number = 0;
  const frame = async (raw: Uint8Array): Promise<Uint8Array> => {
    const kept: Uint8Array = isDeflated && raw.length > 0 ? await promisify(deflateRaw)(raw, { level: 1 }) : raw;
    const bytes = Buffer.allocUnsafe(HEAD_BYTES + kept.length);
    bytes.writeUInt32LE(kept.length, 0);
    bytes.writeUInt32LE(raw.length, 4);
    bytes.writeUInt32LE(checksum(bytes, kept, number++), 8);
    bytes.set(kept, HEAD_BYTES);
    return bytes;
  };
  let open = Buffer.allocUnsafe(FRAME_BYTES);
  let filled = 0;
  for (const part of parts) {
    for (let from = 0; from < part.length;) {
      const taken = part.subarray(from, from + FRAME_BYTES - filled);
      open.set(taken, filled);
      filled += taken.length;
      from += taken.length;
      if (filled < FRAME_BYTES) continue;
      yield await frame(open);
      open = Buffer.allocUnsafe(FRAME_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield await frame(open.subarray(0, filled));
  yield await frame(open.subarray(0, 0));
}

/** `next`: so many of the bytes that were written; fewer where they end. */
export function readFrames(
  next: (bytes: number) => Promise<Uint8Array>,
  isDeflated: boolean,
  close: () => Promise<void>,
): SnapshotReader {
  let number = 0;
  let raw: Uint8Array = new Uint8Array(0);
  let used = 0;
  const nextFrame = async (): Promise<Uint8Array> => {
    const head = Buffer.from(await next(HEAD_BYTES));
    if (head.length < HEAD_BYTES) throw new DamagedSnapshot('cut off');
    const [length, rawLength, sum] = [head.readUInt32LE(0), head.readUInt32LE(4), head.readUInt32LE(8)];
    if (length > 2 * FRAME_BYTES || rawLength > FRAME_BYTES) throw new DamagedSnapshot('no frame');
    const kept = await next(length);
    if (kept.length < length || checksum(head, kept, number++) !== sum) throw new DamagedSnapshot('another checksum');
    if (!isDeflated || length === 0) return kept;
    return promisify(inflateRaw)(kept, { maxOutputLength: FRAME_BYTES });
  };
  return {
    read: async (bytes) => {
      const found = new Uint8Array(bytes);
      for (let filled = 0; filled < bytes;) {
        if (used === raw.length) [raw, used] = [await nextFrame(), 0];
        if (raw.length === 0) throw new DamagedSnapshot('shorter than it says');
        const taken = raw.subarray(used, used + bytes - filled);
        found.set(taken, filled);
        filled += taken.length;
        used += taken.length;
      }
      return found;
    },
    end: async () => {
      if (used < raw.length || (await nextFrame()).length > 0) throw new DamagedSnapshot('longer than it says');
    },
    close,
  };
}

/** Of both lengths, the number of the frame, and what is kept. */
function checksum(head: Uint8Array, kept: Uint8Array, number: number): number {
  return (crc32(head.subarray(0, 8)) ^ crc32(kept) ^ number) >>> 0;
}
