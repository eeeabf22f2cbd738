// Confirmation tokens of prepared changes: a keyed hash of the change and its expiry, so that no process has to remember them.
import { timingSafeEqual } from 'node:crypto';
import type { Confirmations } from './tool.js';

const VALID_MS = 5 * 60_000;
const FORM = /^(\d{1,16})\.([\w=-]{10,200})$/;

/** `hash`: keyed, the same in every process that may receive the token. `owner`: the key that may confirm. */
export function createConfirmations(
  hash: (text: string) => string,
  { owner, now }: { readonly owner: string; readonly now: () => number },
): Confirmations {
  const sign = (until: string, text: string) =>
    Buffer.from(hash(JSON.stringify([until, owner, text]))).toString('base64url');
  return {
    issue: (text) => {
      const until = String(now() + VALID_MS);
      return `${until}.${sign(until, text)}`;
    },
    isValid: (token, text) => {
      const [, until = '', given = ''] = FORM.exec(token) ?? [];
      const expected = Buffer.from(sign(until, text));
      const sent = Buffer.from(given);
      return Number(until) > now() && sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  };
}
