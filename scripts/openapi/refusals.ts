// Error statuses that a route may return, with their meanings.
import { STATUS_CODES } from 'node:http';
import type { Route } from '../../src/http/dispatch/route.js';

const meanings: Readonly<Record<number, string>> = {
  400: 'A field is missing or wrong, or both credentials were sent.',
  401: 'The credential is missing, unknown, expired or deleted.',
  403: 'The credential is valid but not allowed to do this.',
  404: 'Not found in this project, or you are not a member of the project.',
  409: 'The name is taken, the state does not allow it, or the `Idempotency-Key` was used with another body.',
  413: 'The body is too large for this endpoint.',
  415: 'The body is not `application/json`.',
  429: 'Too many requests; retry after `Retry-After` seconds.',
  500: 'Internal error; report the `x-request-id` to the operator.',
  503: 'A store or a part of the service is unavailable; retry after `Retry-After` seconds.',
};

/** Returns the error statuses of a route in ascending order. */
export function refusalsOf({ access, method, path, body, takesFile }: Route): readonly number[] {
  const isNamed = path.includes(':') || access.startsWith('sdk') || takesInvitation(path);
  return [
    400,
    401,
    ...(access === 'user' ? [] : [403]),
    ...(isNamed ? [404] : []),
    ...(method === 'get' ? [] : [409]),
    ...(body ? [413, 415] : takesFile ? [413] : []),
    ...[429, 500, 503],
  ];
}

/** Returns true if the body contains the token of an invitation, which may not exist. */
function takesInvitation(path: string): boolean {
  return path === '/auth/register' || path.startsWith('/auth/invitations/');
}

/** Returns a reference such as `#/components/responses/NotFound`. */
export const refusalName = (status: number): string => (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '');

export function refusalResponses(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, description]) => {
      const statusCode = Number(status);
      const example = { statusCode, message: 'what is wrong, and what to do', error: STATUS_CODES[statusCode] };
      const retry = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } };
      const response = {
        description,
        headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...(isTemporary(statusCode) && retry) },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
      };
      return [refusalName(statusCode), response];
    }),
  );
}

function isTemporary(status: number): boolean {
  return status === 429 || status === 503;
}
