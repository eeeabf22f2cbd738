// Speaks HTTP to the service as a store, an app or a dashboard would: asks again when the service is away, never gives up silently.
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';

export type Credentials = {
  readonly key?: string;
  readonly token?: string;
  /** Names the project where a user's token is sent to a path without one. */
  readonly projectId?: string;
};

/** The service answered with an error that asking again does not cure. */
export class Refused extends Error {
  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} was answered with ${status}: ${body.slice(0, 300)}`);
    this.name = 'Refused';
  }
}

export type Client = {
  readonly url: string;
  /** The answer as the schema reads it. Throws {@link Refused}, and what `fetch` throws when the service stays away. */
  ask<S extends z.ZodType>(schema: S, method: string, path: string, o?: Asked): Promise<z.output<S>>;
};

type Asked = { readonly body?: unknown; readonly as?: Credentials };

const TIMEOUT_MS = 30_000;
const ATTEMPTS = 8;
const AWAY: ReadonlySet<number> = new Set([429, 503]);

/** `url` without a slash at its end. */
export function createClient(url: string, signal: AbortSignal): Client {
  return {
    url,
    ask: async (schema, method, path, { body, as = {} } = {}) => {
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(as.key !== undefined && { 'x-api-key': as.key }),
        ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
        ...(as.projectId !== undefined && { 'x-project-id': as.projectId }),
      };
      const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await untilAnswered(`${url}${path}`, request, signal);
      const text = await response.text();
      if (!response.ok) throw new Refused(method, path, response.status, text);
      return schema.parse(JSON.parse(text));
    },
  };
}

async function untilAnswered(url: string, request: RequestInit, stop: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
    const isLast = attempt === ATTEMPTS;
    let pauseMs = 250 * attempt;
    try {
      const response = await fetch(url, { ...request, signal });
      if (!AWAY.has(response.status) || isLast) return response;
      pauseMs = 1000 * Number(response.headers.get('retry-after') ?? 1);
      await response.arrayBuffer();
    } catch (err) {
      // No answer: the outcome is unknown, and every request of the simulator may be repeated.
      if (isLast || stop.aborted) throw err;
    }
    await wait(pauseMs, undefined, { signal: stop });
  }
}
