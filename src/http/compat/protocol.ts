// The protocol of RevenueCat's SDKs: the key is a bearer token, entity tags have headers of their own, and every response states its time.
// Status and body of what goes wrong, by the one table that decides whether a purchase is lost: an SDK finishes a purchase after any 4xx to
// its receipt and never sends it again, and it forgets attributes likewise. Codes: `BackendErrorCode` of the SDKs.
import { z } from 'zod';
import { NoCredentials, Rejection, StoreRefusal, StoreUnavailable } from '../../domain/errors.js';
import { moduleOf } from '../../commands/stores/modules.js';
import { errorResponse, type ErrorResponse } from '../bodies/errors.js';
import type { Route } from '../dispatch/route.js';
import { sendJson } from '../bodies/send-json.js';
import { bearerKeyOf, type Protocol } from '../dispatch/respond.js';
import { headerOf } from '../dispatch/exchange.js';
import type { Services } from '../dispatch/services.js';
import type { RefusalForm } from '../server/listener.js';

export const RECEIPTS_PATH = '/v1/receipts';
export const SUBSCRIBER_PATH = '/v1/subscribers/:appUserId';
export const ATTRIBUTES_PATH = `${SUBSCRIBER_PATH}/attributes`;

export const CODES = {
  storeProblem: 7101,
  offerKeyMissing: 7234,
  offerIneligible: 7232,
  receiptOfAnother: 7102,
  invalidReceipt: 7103,
  internal: 7110,
  invalidUserId: 7220,
  invalidKey: 7225,
  badRequest: 7226,
  notAliased: 7255,
  notFound: 7259,
  secretKey: 7243,
  invalidAttributes: 7263,
} as const;

/** An error with a code of its own; on a receipt it keeps its status. */
export class CompatError extends Error {
  constructor(
    readonly status: 400 | 403 | 503,
    readonly code: number,
    message: string,
    /** Fields of the body besides code and message. */
    readonly details: object = {},
  ) {
    super(message);
    this.name = 'CompatError';
  }
}

const RETRY_SECONDS = 5;

function compatErrorResponse(err: unknown, route: Route | null): ErrorResponse {
  if (err instanceof CompatError) {
    const retry = err.status === 503 ? { retryAfterSeconds: RETRY_SECONDS } : {};
    const answer = response(err.status, err.code, err.message);
    return { ...answer, body: { ...answer.body, ...err.details }, ...retry };
  }
  if (route?.path === RECEIPTS_PATH) return receiptError(err);
  const { status: restStatus, body, retryAfterSeconds, isBug } = errorResponse(err);
  const setsAttributes = route?.path === ATTRIBUTES_PATH;
  const status = setsAttributes && NOT_THE_SENDERS_FAULT.has(restStatus) ? 503 : restStatus;
  const answer = response(status, codeOf(err, restStatus, setsAttributes), body.message);
  return { ...answer, retryAfterSeconds: retryAfterSeconds ?? (status >= 500 ? RETRY_SECONDS : undefined), isBug };
}

/** Key, rights and limits: what is sent again later may be taken. */
const NOT_THE_SENDERS_FAULT: ReadonlySet<number> = new Set([401, 403, 429]);

/** Only the store's own word that a receipt can never be valid here, and the owner rule, are a 4xx. */
function receiptError(err: unknown): ErrorResponse {
  if (err instanceof Rejection && err.code === 'receipt-invalid')
    return response(400, CODES.invalidReceipt, err.message);
  if (err instanceof Rejection && err.code === 'receipt-owned')
    return response(409, CODES.receiptOfAnother, err.message);
  const { body, retryAfterSeconds = RETRY_SECONDS, isBug } = errorResponse(err);
  return { ...response(503, receiptCodeOf(err), body.message), retryAfterSeconds, isBug };
}

function receiptCodeOf(err: unknown): number {
  if (err instanceof NoCredentials) return moduleOf(err.store).compatibility.noCredentialsCode;
  return err instanceof StoreUnavailable || err instanceof StoreRefusal ? CODES.storeProblem : CODES.internal;
}

function codeOf(err: unknown, status: number, setsAttributes: boolean): number {
  if (err instanceof Rejection && RECEIPT_REFUSALS.has(err.code)) return CODES.invalidReceipt;
  if (err instanceof z.ZodError && err.issues.some(({ path }) => USER_IDS.has(String(path[0]))))
    return CODES.invalidUserId;
  if (setsAttributes && (status === 400 || status === 409)) return CODES.invalidAttributes;
  if (status === 401 || status === 403) return CODES.invalidKey;
  if (status === 404) return CODES.notFound;
  if (status === 409) return CODES.notAliased;
  return status >= 500 || status === 429 ? CODES.internal : CODES.badRequest;
}

const RECEIPT_REFUSALS: ReadonlySet<string> = new Set(['receipt-invalid', 'receipt-unreadable', 'receipt-unknown']);
const USER_IDS: ReadonlySet<string> = new Set(['appUserId', 'app_user_id', 'new_app_user_id']);

function response(status: number, code: number, message: string): ErrorResponse {
  return { status, body: { code, message }, isBug: false };
}

/**
 * Below the application any request may be a receipt, such as one of several megabytes from a slow network that took too long: 503, since a
 * purchase would be finished after the 408 of HTTP.
 */
export const compatRefusal: RefusalForm = (_host, { message }) => response(503, CODES.internal, message);

const MAX_HEADER = 50;

/** A refused receipt is a purchase at risk: each is logged with its reason, such as a text that no store gives. */
const REFUSED_RECEIPT = 'a receipt was not recorded';

export function compatProtocol({ runtime, sdkCalls, log }: Pick<Services, 'runtime' | 'sdkCalls' | 'log'>): Protocol {
  return {
    // An SDK takes this time for the date of the request, also of a body that it has in its cache.
    send: (res, requestId, status, body, headers = []) =>
      sendJson(res, requestId, status, body, headers.concat('x-revenuecat-request-time', String(runtime.now()))),
    tags: { request: 'x-revenuecat-etag', response: 'x-revenuecat-etag' },
    credentialsOf: ({ req }) => {
      const apiKey = bearerKeyOf(req.headers.authorization);
      const project = { pathProjectId: undefined, headerProjectId: undefined };
      return { authorization: undefined, apiKey, isRegisteredKey: true, ...project };
    },
    errorResponse: compatErrorResponse,
    onResponse: (exchange, { projectId, route, status, reason }) => {
      const value = (name: string) => headerOf(exchange, name)?.slice(0, MAX_HEADER) ?? null;
      const versions = { sdkVersion: value('x-version'), appVersion: value('x-client-version') };
      const platformFields = { platform: value('x-platform'), flavor: value('x-platform-flavor'), ...versions };
      const isReceipt = route.path === RECEIPTS_PATH;
      sdkCalls.record({ projectId, isReceipt, status, reason, ...platformFields });
      if (isReceipt && status >= 400) log.warn({ projectId, status, reason, ...platformFields }, REFUSED_RECEIPT);
    },
  };
}
