// `POST /mcp`: tools for assistants over streamable HTTP, stateless. Tools call the routes of the REST API in this process with the
// caller's key, so that authorization, redaction, limits and tenant checks are the routes' own. The key is a bearer token; errors are
// JSON-RPC.
import type { Express, Response as ExpressResponse } from 'express';
import { createClient } from '#sdk/client.js';
import { createMcpHandler, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { EventStream, ReadyJson, sendJson } from '../bodies/send-json.js';
import { defineRoute, type Input, type Route, type RouteResponse } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { createInProcessFetch, type InProcessFetch } from '../server/in-process.js';
import { serveRoutes } from '../server/router.js';
import { createConfirmations } from './change.js';
import { createMcpServer } from './server.js';
import { errorResponse, type ErrorResponse } from '../bodies/errors.js';
import { bearerKeyOf, type Protocol } from '../dispatch/respond.js';

export type McpOptions = {
  /** Host names by which assistants may reach the service. */
  readonly hostNames: readonly string[];
  /** True if tools may return personal fields to keys that may see them. */
  readonly showsPersonal: boolean;
  readonly version: string;
};

const PATH = '/mcp';

/** Adds the endpoint to the application of the REST API, whose routes the tools call. */
export function serveMcp(
  app: Express,
  services: Services,
  health: { readonly hasCaughtUp: boolean },
  o: McpOptions,
): void {
  app.all(PATH, (req, res, next) => {
    const { host, origin } = req.headers;
    if (!validateHostHeader(host, [...o.hostNames]).ok)
      return refuse(services, res, 403, 'This host name is not allowed for /mcp; add it to MCP_HOST_NAMES.');
    if (!validateOriginHeader(origin, [...o.hostNames]).ok)
      return refuse(services, res, 403, 'Pages of this origin may not call /mcp; add its host name to MCP_HOST_NAMES.');
    // Every call is its own request: a stored response of another call must not be repeated.
    delete req.headers['idempotency-key'];
    next();
  });
  const routes = [createMcpRoute(createInProcessFetch(app), o)];
  serveRoutes(app, services, { routes, protocol: mcpProtocol, canServe: () => health.hasCaughtUp });
  app.all(PATH, (_req, res) =>
    refuse(services, res, 405, 'Use POST: this endpoint has no sessions and no streams.', ['allow', 'POST']),
  );
}

function refuse(
  { runtime }: Pick<Services, 'runtime'>,
  res: ExpressResponse,
  status: number,
  message: string,
  headers: readonly string[] = [],
): void {
  const body = { jsonrpc: '2.0', id: null, error: { code: SERVER_ERROR, message } };
  void sendJson(res, runtime.newId('req'), status, body, headers);
}

function createMcpRoute(fetchInProcess: InProcessFetch, o: McpOptions): Route {
  return defineRoute({
    method: 'post',
    path: PATH,
    access: 'account',
    summary: 'Call tools for assistants',
    body: z.unknown(),
    response: z.unknown(),
    handle: (input, services) => handleMessage(input, services, fetchInProcess, o),
  });
}

async function handleMessage(
  { body, caller, scope: { projectId }, header, ip }: Input<undefined, undefined, unknown>,
  { deps, runtime, publicUrl, log }: Services,
  fetchInProcess: InProcessFetch,
  { showsPersonal, version }: Pick<McpOptions, 'showsPersonal' | 'version'>,
): Promise<RouteResponse> {
  const isKey = caller.kind === 'key';
  const options = {
    connect: () =>
      createClient({
        baseUrl: publicUrl(),
        apiKey: bearerKeyOf(header('authorization')),
        fetch: (request) => fetchInProcess(request, ip),
        attempts: 1,
      }),
    projectId,
    scopes: isKey ? caller.scopes : [],
    now: runtime.now,
    showsPersonal,
    confirmations: createConfirmations((text) => deps.hash('confirmation', text), {
      owner: isKey ? caller.keyId : '',
      now: runtime.now,
    }),
    dashboardUrl: `${publicUrl()}/dashboard`,
    version,
    ...clientNameIn(header('user-agent')),
    onError: (err: unknown) =>
      log.error({ projectId, stack: err instanceof Error ? err.stack : String(err) }, 'tool failed'),
  };
  // Without subscriptions every response ends: a stateless endpoint has no changes to announce.
  const handler = createMcpHandler(() => createMcpServer(options), { maxSubscriptions: 0, keepAliveMs: 0 });
  const request = new Request(`${publicUrl()}/mcp`, {
    method: 'POST',
    headers: passedHeaders(header),
    body: JSON.stringify(body),
  });
  const response = await handler.fetch(request, { parsedBody: body });
  const text = await response.text();
  if (!response.ok) throw new McpRefusal(response.status, text);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const status = response.status === 202 ? 202 : 200;
  return { status, body: isStream ? new EventStream((res) => void res.end(text)) : new ReadyJson(text) };
}

/** The name in a header such as `claude-code/2.0.14 (cli)`. */
function clientNameIn(userAgent: string | undefined): { readonly clientName?: string } {
  const [name = ''] = (userAgent ?? '').split(/[/\s]/, 1);
  return name === '' ? {} : { clientName: name };
}

/** Headers that the protocol reads. */
const HEADER_NAMES = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

function passedHeaders(header: (name: string) => string | undefined): Record<string, string> {
  return Object.fromEntries(
    HEADER_NAMES.flatMap((name) => {
      const value = header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const SERVER_ERROR = -32_000;
const INTERNAL_ERROR = -32_603;

/** Refusal by the MCP handler, with its own body. */
class McpRefusal extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`refused with ${status}`);
    this.name = 'McpRefusal';
  }
}

const mcpProtocol: Protocol = {
  send: (res, requestId, status, body, headers = []) =>
    sendJson(res, requestId, status, body, status === 401 ? [...headers, 'www-authenticate', 'Bearer'] : headers),
  tags: { request: 'if-none-match', response: 'etag' },
  credentialsOf: ({ req }) => ({
    authorization: undefined,
    apiKey: bearerKeyOf(req.headers.authorization),
    isRegisteredKey: false,
    pathProjectId: undefined,
    headerProjectId: undefined,
  }),
  errorResponse: mcpErrorResponse,
  onResponse: null,
};

function mcpErrorResponse(err: unknown): ErrorResponse {
  if (err instanceof McpRefusal) return { status: err.status, body: new ReadyJson(err.text), isBug: false };
  const { status, body, retryAfterSeconds, isBug } = errorResponse(err);
  const message =
    status === 401
      ? 'Send a secret API key: Authorization: Bearer sk_… (unknown, deleted or expired keys get this too).'
      : body.message;
  const error = { code: isBug ? INTERNAL_ERROR : SERVER_ERROR, message };
  return { status, body: { jsonrpc: '2.0', id: null, error }, retryAfterSeconds, isBug };
}
