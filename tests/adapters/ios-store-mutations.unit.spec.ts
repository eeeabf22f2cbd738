// Damaged ios-store data: no text at all gets another answer than a refusal.
import { expect } from 'chai';
import fc from 'fast-check';
import { store, verifier, notification, refusal, encoded } from './ios-store-fixture.js';

describe('mutated signed data', () => {
  it('gets no other answer than InvalidSignedData, 5,000 times', async () => {
    const right = notification(store);
    const fresh = verifier();
    const warm = verifier();
    expect(await refusal(right, warm)).to.equal('accepted');
    await fc.assert(
      fc.asyncProperty(mutation(right), fc.boolean(), async (text, isWarm) => {
        fc.pre(text !== right);
        expect(await refusal(text, isWarm ? warm : fresh)).not.to.equal('accepted');
      }),
      { numRuns: 5_000 },
    );
  });

  /** Damage at the level of bytes, characters, segments, and of the JSON inside of them. */
  function mutation(right: string): fc.Arbitrary<string> {
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
});
