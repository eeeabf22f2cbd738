// Response headers: caching, entity tag, log position, idempotent replay and cookie.
import { createHash } from 'node:crypto';
import type { LogPosition } from '../../domain/envelope.js';
import { headerOf, type Exchange } from './exchange.js';
import type { TagHeaders } from './protocol.js';
import { ReadyJson, type Headers } from '../bodies/send-json.js';

const NO_STORE = ['cache-control', 'no-store'];
/** Cached by the client only, for these credentials, and revalidated each time. */
const REVALIDATE = ['cache-control', 'private, no-cache', 'vary', 'authorization, origin, x-api-key, x-project-id'];

export type RouteResult = {
  readonly status: number;
  readonly body: object;
  /** Log position that read models must reach to show the write. */
  readonly position: LogPosition | null;
  readonly isSecret: boolean;
  readonly etag: boolean;
  readonly cookie?: string | undefined;
  /** True for the stored response of an earlier request. */
  readonly isRepeat: boolean;
};

export type SendResponse = (status: number, body: object, headers: Headers) => Promise<void> | void;

type RespondOptions = {
  /** The body belongs to somebody: no cache on the way may store it. */
  readonly isPrivate: boolean;
  readonly tags: TagHeaders;
  /** Position up to which the read models had processed the log before the response was made; null for other responses than reads. */
  readonly readPosition: LogPosition | null;
};

export function sendResult(
  exchange: Exchange,
  { status, body, position, etag, isRepeat, cookie }: RouteResult,
  { isPrivate, tags, readPosition }: RespondOptions,
  send: SendResponse,
): Promise<void> | void {
  const tag = etag ? etagOf(body) : null;
  const isNotModified = tag !== null && matchesTag(headerOf(exchange, tags.request), tag);
  const cachedBy = tag === null ? (isPrivate ? NO_STORE : []) : [...REVALIDATE, tags.response, tag];
  const caching = readPosition === null ? cachedBy : [...cachedBy, 'x-read-position', readPosition];
  if (position === null && !isRepeat && cookie === undefined) return send(isNotModified ? 304 : status, body, caching);
  const written = position === null ? [] : ['x-position', position];
  const repeated = isRepeat ? ['idempotent-replayed', 'true'] : [];
  const cookies = cookie === undefined ? [] : ['set-cookie', cookie];
  return send(isNotModified ? 304 : status, body, [...caching, ...written, ...repeated, ...cookies]);
}

function etagOf(body: object): string {
  if (body instanceof ReadyJson) return body.etag ?? etagOfText(body.text);
  return etagOfText(JSON.stringify(body));
}

/** Returns the entity tag of a body's text, with its quotes. */
export function etagOfText(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

/** Compares tags without `W/`: proxies that compress turn a tag into a weak one. */
function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([sent]) => sent === tag);
}
