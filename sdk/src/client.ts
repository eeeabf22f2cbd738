// Typed client: every path of the API with its parameters, bodies and responses. It runs in Node and in browsers.
import createOpenApiClient, { type Client as OpenApiClient } from 'openapi-fetch';
import { retryingFetch, type RetryOptions } from './retry.js';
import type { components, paths } from './types.js';

export type { components, paths };
export type Client = OpenApiClient<paths, 'application/json'>;
export type Schemas = components['schemas'];

export type Credentials = {
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
  /** Project for requests of a user to paths that do not contain one. */
  readonly projectId?: string | undefined;
};
export type ClientOptions = Credentials & RetryOptions & { readonly baseUrl: string };

/** Every URL parser removes these path segments, encoded or not: the request would reach another endpoint, such as that of the parent. */
const UNADDRESSABLE: ReadonlySet<unknown> = new Set(['', '.', '..']);

/**
 * Creates a client. Error responses are returned as `error`, with the server's message; without a response, the error of `fetch` is thrown.
 * A path parameter that no URL can contain is answered with a 400 of the same form, without a request.
 */
export function createClient({ baseUrl, apiKey, accessToken, projectId, ...retry }: ClientOptions): Client {
  const client = createOpenApiClient<paths, 'application/json'>({ baseUrl, fetch: retryingFetch(retry) });
  client.use({
    onRequest: ({ request: { headers, method }, params: { path = {} } }) => {
      const wrong = Object.entries(path).find(([, value]) => UNADDRESSABLE.has(value));
      if (wrong) return refuseParameter(...wrong);
      if (apiKey !== undefined) headers.set('x-api-key', apiKey);
      if (accessToken !== undefined) headers.set('authorization', `Bearer ${accessToken}`);
      if (projectId !== undefined) headers.set('x-project-id', projectId);
      if (method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
      return undefined;
    },
  });
  return client;
}

function refuseParameter(name: string, value: unknown): Response {
  const message = `${name} must not be ${JSON.stringify(value)}: no URL can contain it; use another ID`;
  return Response.json({ statusCode: 400, message, error: 'Bad Request' }, { status: 400 });
}
