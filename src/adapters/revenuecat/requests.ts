// Requests to RevenueCat's REST APIs: paced per limit domain, repeated as the response asks, and refused in words that name the missing
// key.
import { z } from 'zod';
import { OutboundFailure, Unavailable } from '../../domain/errors.js';
import { parseJson } from '../../domain/values/json.js';
import type { Config } from '../configuration/config.js';
import type { Outbound, OutboundResponse } from '../outbound/port.js';
import { readResponse } from '../outbound/store-request.js';
import { createOutbound } from '../outbound/undici.js';
import type { Runtime } from '../runtime.js';
import { createPacing, type LimitDomain } from './pacing.js';

/** RevenueCat received a request and refused it. The message describes the remedy. */
export class RevenueCatRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'RevenueCatRefusal';
  }
}

/** `needs`: the key that the request requires, as the end of a sentence. */
type RevenueCatRequest = { readonly domain: LimitDomain; readonly path: string; readonly needs: string };

export type RevenueCatRequests = {
  /**
   * Sends a GET request and parses the response. Throws {@link RevenueCatRefusal} for a 4xx, and `Unavailable` if no valid response
   * arrives after repeats.
   */
  get<S extends z.ZodType>(
    schema: S,
    request: RevenueCatRequest,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: z.output<S> }>;
  /** Yields the pages of a list, each requested when the one before it was taken. */
  pages<S extends z.ZodType>(
    item: S,
    request: RevenueCatRequest,
    signal?: AbortSignal,
  ): AsyncIterable<readonly z.output<S>[]>;
  /** Returns all items of all pages in order. */
  list<S extends z.ZodType>(item: S, request: RevenueCatRequest, signal?: AbortSignal): Promise<readonly z.output<S>[]>;
};

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_ATTEMPTS = 6;
const MAX_WAIT_MS = 15 * 60_000;
const FIRST_WAIT_MS = 1000;
const LIMIT_HEADER = 'revenuecat-rate-limit-current-limit';
/** Limit against endless paging: a hundred million customers. */
const MAX_PAGES = 1_000_000;

const refusal = z.object({ message: z.string().optional(), backoff_ms: z.number().nullish() });

type RevenueCatCredentials = { readonly baseUrl: string; readonly apiKey: string };

/** Creates the client. `baseUrl` has no trailing slash and no version. */
export function createRevenueCatRequests(
  o: RevenueCatCredentials & { readonly outbound: Outbound; readonly runtime: Pick<Runtime, 'now' | 'sleep'> },
): RevenueCatRequests {
  const { runtime, outbound, baseUrl, apiKey } = o;
  const pacing = createPacing(runtime);
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };

  async function attempt(
    request: RevenueCatRequest,
    signal?: AbortSignal,
  ): Promise<OutboundResponse | OutboundFailure> {
    await pacing.turn(request.domain, signal);
    const sent = { method: 'GET' as const, url: baseUrl + request.path, headers };
    try {
      return await outbound.send({ ...sent, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES }, signal);
    } catch (err) {
      if (err instanceof OutboundFailure && err.code !== 'blocked') return err;
      throw err;
    }
  }

  async function send(request: RevenueCatRequest, signal?: AbortSignal): Promise<OutboundResponse> {
    for (let attempts = 1; ; attempts++) {
      const response = await attempt(request, signal);
      if (response instanceof OutboundFailure || isTemporary(response)) {
        if (attempts === MAX_ATTEMPTS) throw unavailable(response, baseUrl);
        const waitMs = waitOf(response, attempts);
        if (isLimited(response)) pacing.delay(request.domain, waitMs);
        else await runtime.sleep(waitMs, signal);
        continue;
      }
      if (response.status >= 300) throw refusalOf(response, request);
      pacing.adopt(request.domain, Number(response.headers[LIMIT_HEADER]));
      return response;
    }
  }

  const get: RevenueCatRequests['get'] = async (schema, request, signal) => {
    const response = await send(request, signal);
    return { status: response.status, body: readResponse(schema, response, 'RevenueCat') };
  };
  async function* pages<S extends z.ZodType>(item: S, request: RevenueCatRequest, signal?: AbortSignal) {
    const page = z.object({ items: z.array(item), next_page: z.string().nullish() });
    let path: string | null | undefined = request.path;
    for (let read = 0; path && read < MAX_PAGES; read++) {
      const { body }: { readonly body: z.output<typeof page> } = await get(page, { ...request, path }, signal);
      yield body.items;
      path = body.next_page && pathOf(body.next_page, baseUrl);
    }
  }
  return {
    get,
    pages,
    list: async (item, request, signal) => {
      const all: z.output<typeof item>[] = [];
      for await (const items of pages(item, request, signal)) all.push(...items);
      return all;
    },
  };
}

/** Returns the path of a next page, which never leads to another host: the key is sent to it. */
function pathOf(nextPage: string, baseUrl: string): string {
  const { pathname, search } = new URL(nextPage, `${baseUrl}/`);
  return pathname + search;
}

function isLimited(response: OutboundResponse | OutboundFailure): boolean {
  return 'status' in response && response.status === 429;
}

/** Returns true for a limit, a concurrent change (423), and a fault of the server. */
function isTemporary({ status }: OutboundResponse): boolean {
  return status === 429 || status === 423 || status >= 500;
}

/** Returns how long the response asks to wait, or a wait that doubles with each attempt. In ms. */
function waitOf(response: OutboundResponse | OutboundFailure, attempts: number): number {
  const fallback = FIRST_WAIT_MS * 2 ** (attempts - 1);
  if (response instanceof OutboundFailure) return fallback;
  const seconds = Number(response.headers['retry-after']);
  const stated = readRefusal(response).backoff_ms ?? (seconds > 0 ? seconds * 1000 : fallback);
  return Math.min(Math.max(stated, seconds > 0 ? seconds * 1000 : 0), MAX_WAIT_MS);
}

function unavailable(response: OutboundResponse | OutboundFailure, baseUrl: string): Unavailable {
  const { host } = new URL(baseUrl);
  const problem =
    response instanceof OutboundFailure
      ? `cannot be reached (${response.code})`
      : `responded with ${response.status} ${MAX_ATTEMPTS} times`;
  return new Unavailable(`${host} ${problem}; run the command again later`);
}

function refusalOf(response: OutboundResponse, { needs, path }: RevenueCatRequest): RevenueCatRefusal {
  const { status } = response;
  const message = readRefusal(response).message ?? `status ${status}`;
  if (status === 401) {
    return new RevenueCatRefusal(
      status,
      `RevenueCat refused the key (${message}); REVENUECAT_API_KEY must be ${needs}`,
    );
  }
  if (status === 403) {
    return new RevenueCatRefusal(status, `the key may not read this (${message}); REVENUECAT_API_KEY must be ${needs}`);
  }
  const place = path.replace(/\?.*$/, '');
  return new RevenueCatRefusal(status, `RevenueCat refused ${place} with ${status}: ${message}`);
}

/** A proxy may answer with a page. */
function readRefusal({ body }: OutboundResponse): z.output<typeof refusal> {
  return refusal.safeParse(parseJson(body.toString())).data ?? {};
}

export type RevenueCat = {
  readonly requests: RevenueCatRequests;
  /** Project of API v2; null: only API v1 can be used. */
  readonly projectId: string | null;
  close(): Promise<void>;
};

/** Returns null without `REVENUECAT_API_KEY`. */
export function openRevenueCat(
  config: Pick<Config, 'REVENUECAT_API_KEY' | 'REVENUECAT_PROJECT_ID' | 'REVENUECAT_API_URL'>,
  runtime: Runtime,
): RevenueCat | null {
  const { REVENUECAT_API_KEY: apiKey, REVENUECAT_PROJECT_ID: projectId = null, REVENUECAT_API_URL: baseUrl } = config;
  if (apiKey === undefined) return null;
  const outbound = createOutbound({ egress: { allowHttp: false, allowCidrs: [] }, trusted: [baseUrl] });
  const requests = createRevenueCatRequests({ baseUrl, apiKey, outbound, runtime });
  return { requests, projectId, close: () => outbound.close() };
}
