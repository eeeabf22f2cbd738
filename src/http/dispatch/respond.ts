// Responses of an interface, the REST API or the compatibility API: which credential it reads, what its errors look like and how its entity
// tags are named; caching, log position, idempotent replay and cookie are the same for both.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { LogPosition } from '../../domain/envelope.js';
import { errorResponse, type ErrorResponse } from '../bodies/errors.js';
import { sendJson, type Headers, type SendJson, ReadyJson } from '../bodies/send-json.js';
import type { Credentials } from './authorize.js';
import { headerOf, type Exchange } from './exchange.js';
import { TooManyRequests } from './too-many-requests.js';
import type { Route } from './route.js';
import type { Services } from './services.js';

/** Names of the headers that contain entity tags. */
type TagHeaders = { readonly request: string; readonly response: string };

export type Protocol = {
  readonly send: SendJson;
  readonly tags: TagHeaders;
  credentialsOf(exchange: Exchange, route: Route): Credentials;
  /** `route` null: the error belongs to no route. */
  errorResponse(err: unknown, route: Route | null): ErrorResponse;
  /** Called after each response of a route to a known project. */
  readonly onResponse: ((exchange: Exchange, response: RouteResponse) => void) | null;
};

type RouteResponse = {
  readonly projectId: string;
  readonly route: Route;
  readonly status: number;
  /** Message of the refusal; null for a success. */
  readonly reason: string | null;
};

const BEARER_KEY = /^Bearer +(\S{1,300}) *$/i;

/** Returns the API key of an `Authorization` header; empty without one, since no key is empty. */
export function bearerKeyOf(authorization: string | undefined): string {
  return BEARER_KEY.exec(authorization ?? '')?.[1] ?? '';
}

export const restProtocol: Protocol = {
  send: sendJson,
  tags: { request: 'if-none-match', response: 'etag' },
  credentialsOf: (exchange, { path }) => ({
    authorization: exchange.req.headers.authorization,
    apiKey: headerOf(exchange, 'x-api-key'),
    isRegisteredKey: false,
    pathProjectId: path.includes('/projects/:id') ? exchange.params['id'] : undefined,
    headerProjectId: headerOf(exchange, 'x-project-id'),
  }),
  errorResponse,
  onResponse: null,
};

/** Sends the protocol's answer to an error; does nothing once a response has begun. `route` null: the error belongs to no route. */
export async function sendError(
  { log }: Pick<Services, 'log'>,
  protocol: Protocol,
  res: ServerResponse,
  requestId: string,
  err: unknown,
  { limits, route }: { readonly limits: Headers; readonly route: Route | null } = { limits: [], route: null },
): Promise<void> {
  const { status, body, retryAfterSeconds, isBug } = protocol.errorResponse(err, route);
  if (isBug) log.error({ requestId, stack: err instanceof Error ? err.stack : String(err) }, 'unexpected error');
  if (res.headersSent) return;
  const limitHeaders = err instanceof TooManyRequests ? err.headers : limits;
  const headers =
    retryAfterSeconds === undefined ? limitHeaders : [...limitHeaders, 'retry-after', String(retryAfterSeconds)];
  return protocol.send(res, requestId, status, body, headers);
}

/** Sends an error that no route handles; cuts a response that has begun, so that it is not taken for complete. */
export function sendErrorOutsideRoutes(
  services: Pick<Services, 'log' | 'runtime'>,
  protocol: Protocol,
  res: ServerResponse,
  err: unknown,
): void {
  if (res.headersSent) res.destroy();
  else void sendError(services, protocol, res, services.runtime.newId('req'), err);
}

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

export type SendResponse = (status: number, body: object, headers: Headers) => Promise<void>;

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
): Promise<void> {
  const tag = etag ? etagOf(body) : null;
  const isNotModified = tag !== null && matchesTag(headerOf(exchange, tags.request), tag);
  const cachedBy = tag === null ? (isPrivate ? NO_STORE : []) : [...REVALIDATE, tags.response, tag];
  const caching = readPosition === null ? cachedBy : [...cachedBy, 'x-read-position', readPosition];
  if (position === null && !isRepeat && cookie === undefined) return send(isNotModified ? 304 : status, body, caching);
  const positionHeader = position === null ? [] : ['x-position', position];
  const repeated = isRepeat ? ['idempotent-replayed', 'true'] : [];
  const cookies = cookie === undefined ? [] : ['set-cookie', cookie];
  return send(isNotModified ? 304 : status, body, [...caching, ...positionHeader, ...repeated, ...cookies]);
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
