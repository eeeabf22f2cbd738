// The protocol of `POST /mcp`: an API key as a bearer token, and errors as JSON-RPC.
import { ReadyJson, sendJson } from '../bodies/send-json.js';
import { errorResponse, type ErrorResponse } from '../bodies/errors.js';
import type { Protocol } from '../dispatch/protocol.js';

const BEARER = /^Bearer +(\S{1,300}) *$/i;
/** A request without a key: no key is empty. */
const NO_KEY = '';
const SERVER_ERROR = -32_000;
const INTERNAL_ERROR = -32_603;

/** Refusal by the MCP handler, with its own body. */
export class McpRefusal extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`refused with ${status}`);
    this.name = 'McpRefusal';
  }
}

export const mcpProtocol: Protocol = {
  send: (res, requestId, status, body, headers = []) =>
    sendJson(res, requestId, status, body, status === 401 ? [...headers, 'www-authenticate', 'Bearer'] : headers),
  tags: { request: 'if-none-match', response: 'etag' },
  credentialsOf: ({ req }) => ({
    authorization: undefined,
    apiKey: keyOf(req.headers.authorization),
    isRegisteredKey: false,
    pathProjectId: undefined,
    headerProjectId: undefined,
  }),
  errorResponse: mcpErrorResponse,
  note: null,
};

/** Returns the key of an `Authorization` header; empty without one. */
export function keyOf(authorization: string | undefined): string {
  return BEARER.exec(authorization ?? '')?.[1] ?? NO_KEY;
}

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
