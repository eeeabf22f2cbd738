// Replaces random IDs, secrets and durations in a recording by constant ones, and shortens long values for readers.
import { createHash } from 'node:crypto';
import type { Json } from './example-service.js';

const MAX_ITEMS = 4;
const RETAINED_ITEMS = 2;
/** Matches a signed text, of which only the beginning of the header is retained. */
const SIGNED = /eyJ[\w-]{20,}\.[\w-]+\.[\w-]+/g;
const RETAINED_CHARACTERS = 28;
/** Matches a measured duration. */
const DURATION = /"ms":\d+/g;
/** Matches random names of purchases in a demo. */
const SIMULATED_NAME = /live-\d+|\b7\d{17}\b/g;
const PREVIEW = /(?<=(?:sk|pk|whsec)_…)[\w+/=]{4}/g;

const alphabets = {
  base62: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  hex: '0123456789abcdef',
};

type Draw = (alphabet: string, length: number) => string;
/** Patterns of random values, with their replacements. */
const replacements: readonly (readonly [found: RegExp, instead: (draw: Draw) => string])[] = [
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    (draw) =>
      [8, 4, 4, 4, 12]
        .map((n, i) => `${uuidMarks[i] ?? ''}${draw(alphabets.hex, n - (uuidMarks[i] ?? '').length)}`)
        .join('-'),
  ],
  [/(?<=\b[sp]k_)[0-9A-Za-z]{36}\b/g, (draw) => draw(alphabets.base62, 36)],
  [/(?<=\bwhsec_)[A-Za-z0-9+/]{43}=/g, (draw) => `${draw(alphabets.base62, 43)}=`],
  [/(?<=\b(?:rt|inv)_|-store\/)[\w-]{43}(?![\w-])/g, (draw) => draw(alphabets.base62, 43)],
];
/** Fixed characters of a UUID: version 5, first variant. */
const uuidMarks: readonly string[] = ['', '', '5', 'a', ''];

/** Returns a function that tidies the responses of one recording; equal IDs stay equal. */
export function createTidying(): (body: unknown) => unknown {
  const known = new Map<string, string>();
  const endings = new Map<string, string>();
  return (body) => {
    let text = JSON.stringify(shorten(body)).replaceAll(SIGNED, (signed) => `${signed.slice(0, RETAINED_CHARACTERS)}…`);
    text = text.replaceAll(DURATION, '"ms":38');
    text = text.replaceAll(SIMULATED_NAME, (name) =>
      name.replace(/\d+$/, (n) => '701788253200000000'.slice(0, n.length)),
    );
    for (const [found, instead] of replacements) {
      text = text.replaceAll(found, (value) => {
        const replacement = known.get(value) ?? instead(createDraw(known.size));
        known.set(value, replacement);
        endings.set(value.slice(-4), replacement.slice(-4));
        return replacement;
      });
    }
    text = text.replaceAll(PREVIEW, (ending) => {
      const replacement = endings.get(ending) ?? createDraw(known.size + endings.size)(alphabets.base62, 4);
      endings.set(ending, replacement);
      return replacement;
    });
    return JSON.parse(text);
  };
}

/** Returns a generator of characters that depends only on the number of earlier draws. */
function createDraw(before: number): Draw {
  let count = 0;
  return (alphabet, length) =>
    Array.from({ length }, () => {
      const [byte = 0] = createHash('sha256').update(`${before} ${count++}`).digest();
      return alphabet[byte % alphabet.length];
    }).join('');
}

function shorten(body: Json): Json {
  return body?.object === 'list' && body.items.length > MAX_ITEMS
    ? { ...body, items: body.items.slice(0, RETAINED_ITEMS) }
    : body;
}
