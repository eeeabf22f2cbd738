// Sends HTTP requests to the service as a store, an app or a dashboard would: what is set up by the client that others use, what is played by a
// lighter one. Asks again when the service is away, never gives up silently.
import { createClient as createSdkClient, type Client as SdkClient } from '#sdk/client.js';
import type { z } from 'zod';
import { createSend } from './send.js';

export type Credentials = {
  readonly key?: string;
  readonly token?: string;
  /** Names the project where a user's token is sent to a path without one. */
  readonly projectId?: string;
};

/** The service responded with an error that asking again does not cure. */
export class Refused extends Error {
  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} was answered with ${status}: ${body.slice(0, 300)}`);
    this.name = 'Refused';
  }
}

export type Client = {
  readonly url: string;
  /** The typed client, for what is asked with these credentials. */
  as(credentials: Credentials): SdkClient;
  /** The response as the schema reads it. Throws {@link Refused}, and what `fetch` throws when the service stays away. */
  ask<S extends z.ZodType>(schema: S, method: 'GET' | 'POST', path: string, o?: Asked): Promise<z.output<S>>;
};

/** `atMs`: when it is sent in the lifecycle that is played, for a service whose clock heeds it. All that is asked so may be repeated. */
type Asked = { readonly body?: unknown; readonly as?: Credentials; readonly atMs?: number };

/** Milliseconds since the epoch. */
export const AT_HEADER = 'x-simulated-at';

const ATTEMPTS = 8;

/** `url` without a slash at its end. `extra`: headers of every request that says when it is sent. */
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
      if (status < 200 || status > 299) throw new Refused(method, path, status, text);
      return schema.parse(JSON.parse(text));
    },
  };
}

/** The response of the typed client. Throws {@link Refused}. */
export function accepted<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Refused('a request', response.url, response.status, JSON.stringify(error));
  return data;
}
