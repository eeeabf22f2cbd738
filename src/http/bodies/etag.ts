// Tags of answers: a strong hash of the body, compared weakly, as RFC 9110 §13.1.2 has it for If-None-Match.
import { createHash } from 'node:crypto';

export function etagOf(body: object): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
}

/** Proxies that compress make a weak tag of ours: `W/` in front does not matter. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([named]) => named === tag);
}
