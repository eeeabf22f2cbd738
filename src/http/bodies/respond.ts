// What a response says about itself beside its body: whether it may be kept, by which tag it is asked for again, up to where the log was read.
import { createHash } from 'node:crypto';
import type { LogPosition } from '../../domain/envelope.js';
import { headerOf, type Exchange } from '../dispatch/exchange.js';
import type { TagHeaders } from '../dispatch/protocol.js';
import { ReadyJson, type Headers } from './send-json.js';

const NOT_STORED = ['cache-control', 'no-store'];
/** Kept by the client alone, for these credentials, and asked for each time. */
const ASKED_AGAIN = ['cache-control', 'private, no-cache', 'vary', 'authorization, origin, x-api-key, x-project-id'];

export type Performed = {
  readonly status: number;
  readonly body: object;
  /** Up to where the log must be read to find what was written. */
  readonly position: LogPosition | null;
  readonly isSecret: boolean;
  readonly etag: boolean;
  readonly cookie?: string | undefined;
  /** The response is that of an earlier request. */
  readonly isRepeat: boolean;
};

export type Respond = (status: number, body: object, headers: Headers) => Promise<void> | void;

type RespondOptions = {
  /** The body belongs to somebody: no cache on the way may store it. */
  readonly isPrivate: boolean;
  readonly tags: TagHeaders;
};

export function respondWith(
  exchange: Exchange,
  { status, body, position, etag, isRepeat, cookie }: Performed,
  { isPrivate, tags }: RespondOptions,
  send: Respond,
): Promise<void> | void {
  const tag = etag ? etagOf(body) : null;
  const isKept = tag !== null && namesTag(headerOf(exchange, tags.request), tag);
  const caching = tag === null ? (isPrivate ? NOT_STORED : []) : [...ASKED_AGAIN, tags.response, tag];
  if (position === null && !isRepeat && cookie === undefined) return send(isKept ? 304 : status, body, caching);
  const written = position === null ? [] : ['x-position', position];
  const repeated = isRepeat ? ['idempotent-replayed', 'true'] : [];
  const cookies = cookie === undefined ? [] : ['set-cookie', cookie];
  return send(isKept ? 304 : status, body, [...caching, ...written, ...repeated, ...cookies]);
}

function etagOf(body: object): string {
  if (body instanceof ReadyJson) return body.etag ?? etagOfText(body.text);
  return etagOfText(JSON.stringify(body));
}

/** Returns the entity tag of a body's text, with its quotes. */
export function etagOfText(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Proxies that compress make a weak tag of ours: `W/` in front does not matter. */
function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([named]) => named === tag);
}
