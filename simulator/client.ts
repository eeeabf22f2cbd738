// HTTP client of the simulated stores, apps and dashboards: the public SDK for the setup, a lighter client for simulated events. Repeats
// requests while the service is unavailable, and throws if it stays unavailable.
import { createClient as createSdkClient, type Client as SdkClient } from '#sdk/client.js';
import type { z } from 'zod';
import { createSend } from './send.js';

export type Credentials = {
  readonly key?: string;
  readonly token?: string;
  /** The project of a request with a user's token to a path without a project ID. */
  readonly projectId?: string;
};

/** The service responded with an error that a repeat does not fix. */
export class RequestFailed extends Error {
  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} failed with status ${status}: ${body.slice(0, 300)}`);
    this.name = 'Refused';
  }
}

export type Client = {
  readonly url: string;
  /** Returns the SDK client with these credentials. */
  as(credentials: Credentials): SdkClient;
  /** Returns the response, parsed by the schema. Throws {@link RequestFailed}, or the connection error if the service stays unavailable. */
  ask<S extends z.ZodType>(schema: S, method: 'GET' | 'POST', path: string, o?: RequestOptions): Promise<z.output<S>>;
};

/** `atMs`: the simulated time of the request, for a service that accepts simulated times. The request must be idempotent. */
type RequestOptions = { readonly body?: unknown; readonly as?: Credentials; readonly atMs?: number };

/** Header with the simulated time of a request, in milliseconds since the epoch. */
export const AT_HEADER = 'x-simulated-at';

const ATTEMPTS = 8;

/** `url` has no trailing slash. `extra`: headers of each request with a simulated time. */
export function createClient(url: string, signal: AbortSignal, extra: Readonly<Record<string, string>> = {}): Client {
  const retry = { attempts: ATTEMPTS, signal };
  const send = createSend(url, signal);
  return {
    url,
    as: ({ key: apiKey, token: accessToken, projectId }) =>
      createSdkClient({ baseUrl: url, apiKey, accessToken, projectId, ...retry }),
    ask: async (schema, method, path, { body, atMs, as = {} } = {}) => {
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(as.key !== undefined && { 'x-api-key': as.key }),
        ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
        ...(as.projectId !== undefined && { 'x-project-id': as.projectId }),
        ...(atMs !== undefined && { ...extra, [AT_HEADER]: String(atMs) }),
      };
      const { status, text } = await send(method, path, headers, body === undefined ? body : JSON.stringify(body));
      if (status < 200 || status > 299) throw new RequestFailed(method, path, status, text);
      return schema.parse(JSON.parse(text));
    },
  };
}

/** Returns the data of a response of the SDK client. Throws {@link RequestFailed}. */
export function requireData<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new RequestFailed('request to', response.url, response.status, JSON.stringify(error));
  return data;
}
