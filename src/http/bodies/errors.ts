// Error responses. Each has three fields and no more than the caller may know; no other module creates them.
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  BadCursor,
  NoCredentials,
  NotificationRefused,
  Rejection,
  type RejectionKind,
  RetryLater,
  StoreRefusal,
  StoreUnavailable,
  Unavailable,
} from '../../domain/errors.js';
import { validationMessagesOf } from '../../domain/values/validation-messages.js';
import { fieldsOf } from '../../domain/values/json.js';

/** Refusal of a request for reasons of HTTP: credentials, input format or limits. */
export class HttpError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'HttpError';
  }
}

export type ErrorBody = { readonly statusCode: number; readonly message: string; readonly error: string };
export type ErrorResponse<B extends object = object> = {
  readonly status: number;
  readonly body: B;
  readonly retryAfterSeconds?: number | undefined;
  readonly isBug: boolean;
};

/** Somebody has to change the credentials first. */
const CREDENTIALS_RETRY_S = 300;
const NO_CREDENTIALS =
  'the app has no credentials for this request to its store; register them with POST …/apps/:appId/credentials, then retry';
const STORE_REFUSAL = 'the app store refused the request; check the app’s store credentials, then retry';

const REJECTION_STATUS: Record<RejectionKind, number> = { invalid: 400, forbidden: 403, missing: 404, conflict: 409 };

export function errorResponse(err: unknown): ErrorResponse<ErrorBody> {
  if (err instanceof HttpError) return createErrorResponse(err.status, err.message, err.retryAfterSeconds);
  if (err instanceof Rejection) return createErrorResponse(REJECTION_STATUS[err.kind], err.message);
  if (err instanceof z.ZodError) return createErrorResponse(400, validationMessagesOf(err.issues).join('; '));
  if (err instanceof BadCursor)
    return createErrorResponse(400, 'startingAfter does not belong to this list; use nextPage of a response');
  if (err instanceof NotificationRefused)
    return createErrorResponse(err.reason === 'unreadable' ? 400 : 401, err.message);
  if (err instanceof Unavailable) {
    // A store may send a fraction of a second.
    const seconds = Math.ceil(err.retryAfterSeconds);
    return createErrorResponse(503, err instanceof RetryLater ? err.message : outageText(err, seconds), seconds);
  }
  if (err instanceof NoCredentials) return createErrorResponse(503, NO_CREDENTIALS, CREDENTIALS_RETRY_S);
  if (err instanceof StoreRefusal) return createErrorResponse(503, STORE_REFUSAL, CREDENTIALS_RETRY_S);
  return (
    parserErrorResponse(err) ?? {
      ...createErrorResponse(500, 'internal error; report the x-request-id to the operator'),
      isBug: true,
    }
  );
}

/** Describes an outage without names of hosts or files. */
function outageText(err: Unavailable, seconds: number): string {
  const problem =
    err instanceof StoreUnavailable ? 'the app store cannot be reached or is busy' : 'a part of the service is down';
  return `${problem}; retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

export function errorBody(status: number, message: string): ErrorBody {
  return { statusCode: status, message, error: STATUS_CODES[status] ?? 'Error' };
}

function createErrorResponse(status: number, message: string, retryAfterSeconds?: number): ErrorResponse<ErrorBody> {
  return { status, body: errorBody(status, message), retryAfterSeconds, isBug: false };
}

/** Translates errors of Express and its body parser, which carry a status and a type. */
function parserErrorResponse(err: unknown): ErrorResponse<ErrorBody> | undefined {
  if (err instanceof URIError) return createErrorResponse(400, 'the path is not valid percent-encoding');
  const { type, status } = fieldsOf(err);
  if (type === 'entity.too.large') return createErrorResponse(413, 'the body is too large for this endpoint');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return createErrorResponse(415, 'send JSON in UTF-8');
  if (type === 'entity.parse.failed') return createErrorResponse(400, 'the body is not valid JSON');
  if (typeof status === 'number' && status >= 400 && status < 500)
    return createErrorResponse(400, 'the request is malformed');
  return undefined;
}
