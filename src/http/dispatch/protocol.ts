// Interface-specific part of a request: where its credential is, what its errors look like, and how entity tags are named. The REST API and
// the compatibility API share everything else.
import type { ServerResponse } from 'node:http';
import type { Credentials } from './authorize.js';
import { errorResponse, type ErrorResponse } from '../bodies/errors.js';
import { sendJson, type Headers, type SendJson } from '../bodies/send-json.js';
import { headerOf, type Exchange } from './exchange.js';
import { TooManyRequests } from './rate-limits.js';
import type { Route } from './route.js';
import type { Services } from './services.js';

/** Names of the headers that contain entity tags. */
export type TagHeaders = { readonly request: string; readonly response: string };

export type Protocol = {
  readonly send: SendJson;
  readonly tags: TagHeaders;
  credentialsOf(exchange: Exchange, route: Route): Credentials;
  /** `route` null: the error belongs to no route. */
  errorResponse(err: unknown, route: Route | null): ErrorResponse;
  /** Called after each response of a route to a known project. */
  readonly note: ((exchange: Exchange, response: NotedResponse) => void) | null;
};

export type NotedResponse = {
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
  note: null,
};

/** Sends the protocol's answer to an error; does nothing once a response has begun. `route` null: the error belongs to no route. */
export function sendError(
  { log }: Pick<Services, 'log'>,
  protocol: Protocol,
  res: ServerResponse,
  requestId: string,
  err: unknown,
  { limits, route }: { readonly limits: Headers; readonly route: Route | null } = { limits: [], route: null },
): Promise<void> | void {
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
