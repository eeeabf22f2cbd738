// Bodies come back byte for byte without the certificates of their signed texts, whatever else they hold.
import { expect } from 'chai';
import fc from 'fast-check';
import { joinBody, splitBody } from '../../../src/domain/inbox/packed-body.js';
import { RENEWED, notification, store, stranger } from '../../adapters/ios-store/fixture.js';

const HEADER = `eyJ${'A'.repeat(1200)}`;
const OTHER = `eyJ${'B'.repeat(1200)}`;
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const signed = (header: string, payload: string) => `${header}.${base64url(payload)}.c2ln`;
const bodyOf = (payload: string) => `{"signedPayload":"${signed(HEADER, payload)}"}`;

function returned(rawBody: string): string | undefined {
  const parts = splitBody(rawBody);
  return parts ? joinBody(parts) : undefined;
}

describe('a body without certificates', () => {
  it('is a fifth of the size that the store sent, and is restored unchanged', () => {
    const body = JSON.stringify({ signedPayload: notification(store) });
    const parts = splitBody(body);
    const { headers = [], ...rest } = parts ?? {};
    expect(headers).to.deep.equal([/"([^.]+)/.exec(body.slice(16))?.[1]]);
    expect(JSON.stringify(rest).length).to.be.below(body.length / 5);
    expect(returned(body)).to.equal(body);
  });

  it('may be signed by several', () => {
    const inner = JSON.stringify({ a: signed(OTHER, '{"x":1.5}'), b: 'two. dots.', c: signed(HEADER, '{}') });
    const parts = splitBody(bodyOf(inner));
    expect(parts?.headers).to.deep.equal([HEADER, OTHER]);
    expect(parts?.payload).to.include('"<1>.').and.include('"<0>.');
    expect(returned(bodyOf(inner))).to.equal(bodyOf(inner));
  });

  it('stays whole where it holds none, or would not come back', () => {
    const refused = [
      '',
      '{}',
      'no. dots. here',
      `{"signedPayload":"${signed('short', '{}')}"}`,
      bodyOf('{"text":"<0>"}'),
      `{"signedPayload":"${HEADER}.not base64url.c2ln"}`,
      `"${HEADER}.`,
      `"eyJ${'a'.repeat(1200)}", "two.dots.`,
    ];
    for (const body of refused) expect(splitBody(body), body.slice(0, 40)).to.equal(null);
    const bytes = Buffer.from([0xff, 0xfe, 0]).toString('base64url');
    const odd = `{"signedPayload":"${HEADER}.${bytes}.c2ln"}`;
    expect(returned(odd)).to.equal(odd);
    expect(returned(bodyOf('{"text":"<7>"}'))).to.equal(bodyOf('{"text":"<7>"}'));
  });

  it('is restored byte for byte, whatever it is', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '.',
        '"',
        '"eyJ',
        '<0>',
        '<1>',
        '<',
        HEADER,
        OTHER,
        signed(OTHER, '{}'),
        `"${signed(HEADER, '{}')}"`,
      ),
      fc.string({ unit: 'binary' }),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, text, (before, payload, after) => {
        for (const body of [`${before}${bodyOf(payload)}${after}`, `${before}${payload}${after}`, bodyOf(payload)]) {
          expect(returned(body) ?? body).to.equal(body);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is another for another authority', () => {
    const [ours, theirs] = [store, stranger].map((authority) =>
      splitBody(JSON.stringify({ signedPayload: notification(authority, RENEWED) })),
    );
    expect(ours?.headers).to.have.length(1);
    expect(ours?.headers).to.not.deep.equal(theirs?.headers);
  });
});
