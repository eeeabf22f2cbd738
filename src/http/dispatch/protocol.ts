// Interface-specific part of a request: where its credential is, what its errors look like, and how entity tags are named. The REST API and
// the compatibility API share everything else.
import type { Credentials } from './authorize.js';
import { errorResponse, type ErrorResponse } from '../bodies/errors.js';
import { sendJson, type SendJson } from '../bodies/send-json.js';
import { headerOf, type Exchange } from './exchange.js';
import type { Route } from './route.js';

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
