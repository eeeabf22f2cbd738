// A JWS damaged in every way that a text can be, short of being another rightly signed one.
import fc from 'fast-check';
import { encoded } from './fixture.js';

/** Number of tries; `MUTATIONS=50000` for a long run. */
export const mutationRuns = (byDefault: number): { numRuns: number; seed: number } => ({
  numRuns: Number(process.env['MUTATIONS'] ?? byDefault),
  seed: Number(process.env['SEED'] ?? 7),
});

/** Damage at the level of bytes, characters, segments, and of the JSON inside of them. */
export function mutation(right: string): fc.Arbitrary<string> {
  const [header = '', payload = '', signature = ''] = right.split('.');
  const place = fc.nat(right.length - 1);
  const flip = (bytes: Buffer, at: number, mask: number): Buffer =>
    Buffer.from(bytes.map((byte, i) => (i === at % bytes.length ? byte ^ mask : byte)));
  const inside = (part: string) =>
    fc
      .tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([at, mask]) => flip(Buffer.from(part, 'base64url'), at, mask).toString('base64url'));
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => encoded(JSON.stringify(value)));
  const field = fc.constantFrom('alg', 'x5c', 'crit', '__proto__', 'data', 'signedDate', 'version', 'constructor');
  const edited = (part: string) =>
    fc.tuple(field, fc.jsonValue()).map(([key, value]) => {
      const object: object = JSON.parse(Buffer.from(part, 'base64url').toString());
      return encoded(`${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(value)}}`);
    });
  return fc.oneof(
    fc
      .tuple(place, fc.integer({ min: 1, max: 127 }))
      .map(([at, mask]) => flip(Buffer.from(right), at, mask).toString('latin1')),
    place.map((length) => right.slice(0, length)),
    fc.tuple(place, place).map(([from, to]) => right.slice(0, from) + right.slice(to)),
    fc
      .tuple(place, fc.string({ unit: 'binary', maxLength: 8 }))
      .map(([at, extra]) => right.slice(0, at) + extra + right.slice(at)),
    fc.oneof(inside(header), json, edited(header)).map((h) => `${h}.${payload}.${signature}`),
    fc.oneof(inside(payload), json, edited(payload)).map((p) => `${header}.${p}.${signature}`),
    inside(signature).map((s) => `${header}.${payload}.${s}`),
    fc.string({ unit: 'binary' }),
  );
}
