// One delivery attempt: the request to the receiver, and what its outcome makes of the delivery. No secret, header or body is logged.
import { commandIds } from '../../commands/handling/command-ids.js';
import type { Deps } from '../../commands/handling/deps.js';
import type { Outbound, OutboundResponse } from '../../adapters/outbound/port.js';
import { inSpan, type OpenSpan } from '../../adapters/tracing/spans.js';
import { OutboundFailure } from '../../domain/errors.js';
import type { Runtime } from '../../adapters/runtime.js';
import {
  endDelivery,
  replaceDelivery,
  withAttempt,
  type Attempt,
  type Delivery,
  type StoredDelivery,
} from '../../commands/webhooks/deliveries.js';
import type { SigningKeys } from '../../commands/webhooks/secrets.js';
import { recordWebhookDecision } from '../../commands/webhooks/webhooks.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import {
  isSuccess,
  leavesSerialQueue,
  retryAfterOf,
  waitAfter,
  type Outcome,
  type Schedule,
} from '../../domain/webhook/schedule.js';
import { revenueCatSignatureOf, signatureOf } from '../../domain/webhook/sign.js';
import type { Endpoint } from './endpoints.js';

export type AttemptDeps = { readonly outbound: Outbound; readonly runtime: Runtime; readonly userAgent: string };

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 16 * 1024;
const MAX_SNIPPET_BYTES = 4096;

export type AttemptResult = { readonly outcome: Outcome; readonly attempt: Attempt };

/** Receiver of an attempt, and the body. `keys` is null for unsigned ones (raw notifications). */
type Sending = {
  readonly endpoint: Endpoint;
  readonly keys: SigningKeys | null;
  readonly body: string;
  readonly contentType: string;
};

/** Sends a delivery. Throws only for bugs. */
export function attemptDelivery(deps: AttemptDeps, delivery: StoredDelivery, o: Sending): Promise<AttemptResult> {
  const { id, doc } = delivery;
  const { hostname, protocol } = new URL(o.endpoint.url);
  const attributes = {
    'http.request.method': 'POST',
    'http.request.resend_count': doc.failures,
    'server.address': hostname,
    'url.scheme': protocol.slice(0, -1),
    'subledger.delivery.id': id,
    'subledger.delivery.type': doc.type,
    'subledger.project.id': doc.projectId,
  };
  return inSpan('deliver webhook', { kind: 'client', attributes }, async (span) => {
    const result = await send(deps, delivery, o, span.traceparent);
    recordOutcome(span, result.outcome);
    return result;
  });
}

function recordOutcome(span: OpenSpan, { status, errorCode }: Outcome): void {
  if (status !== null) span.set({ 'http.response.status_code': status });
  const fault = errorCode ?? (status !== null && status >= 400 ? String(status) : null);
  if (fault !== null) span.fail(fault);
}

async function send(
  { outbound, runtime, userAgent }: AttemptDeps,
  { doc }: StoredDelivery,
  o: Sending,
  traceparent: string | null,
): Promise<AttemptResult> {
  const startedAt = runtime.now();
  const body = Buffer.from(o.body);
  const timestamp = String(Math.floor(startedAt / 1000));
  const signatureHeaders = (secrets: readonly string[]) => ({
    'webhook-signature': signatureOf(secrets, doc.eventId, timestamp, body),
    ...(o.endpoint.payloadFormat === 'revenuecat' && {
      'x-revenuecat-webhook-signature': revenueCatSignatureOf(secrets, timestamp, body),
    }),
  });
  const headers = {
    'content-type': o.contentType,
    'user-agent': userAgent,
    'webhook-id': doc.eventId,
    'webhook-timestamp': timestamp,
    'webhook-attempt': String(doc.failures + 1),
    ...(traceparent !== null && { traceparent }),
    ...(o.keys && signatureHeaders(o.keys.secrets)),
    ...(o.keys?.authorizationHeader != null && { authorization: o.keys.authorizationHeader }),
  };
  const request = { method: 'POST' as const, url: o.endpoint.url, headers, body };
  const end = (outcome: Outcome, responseSnippet: string | null): AttemptResult => {
    const { status, errorCode } = outcome;
    const ms = Math.max(0, runtime.now() - startedAt);
    return { outcome, attempt: { at: isoFromMs(startedAt), ms, status, errorCode, responseSnippet } };
  };
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES };
    const response = await outbound.send({ ...request, ...limits });
    const retryAfterMs = retryAfterOf(response.headers['retry-after'], runtime.now());
    return end({ status: response.status, errorCode: null, retryAfterMs }, snippetOf(response));
  } catch (err) {
    if (!(err instanceof OutboundFailure)) throw err;
    return end({ status: null, errorCode: err.code, retryAfterMs: null }, null);
  }
}

type OutcomeDeps = { readonly deps: Deps; readonly schedule: Schedule };

/** Stores the outcome of an attempt, and returns the delivery after it. A webhook whose receiver responds 410 is disabled. */
export async function storeOutcome(
  { deps, schedule }: OutcomeDeps,
  claimed: StoredDelivery,
  { kind }: Endpoint,
  { outcome, attempt }: AttemptResult,
): Promise<Delivery> {
  const tried = withAttempt(claimed.doc, attempt);
  const put = async (next: Delivery) => {
    await replaceDelivery(deps.docs, claimed, next);
    return next;
  };
  if (isSuccess(outcome)) return put(endDelivery(tried, 'delivered'));
  if (outcome.status !== 410 || kind === 'raw')
    return put(scheduleRetry(tried, outcome, { schedule, runtime: deps.runtime }));
  const { projectId, endpointId: webhookId } = claimed.doc;
  const command = { kind: 'disable' as const, cause: 'gone' as const };
  await recordWebhookDecision(deps, { projectId, webhookId }, command, commandIds.webhookGone(claimed.id, attempt.at));
  return put(endDelivery(tried, 'held'));
}

type RetryDeps = { readonly schedule: Schedule; readonly runtime: Pick<Runtime, 'now' | 'randomBytes'> };

/** Returns the delivery scheduled for its next attempt, or failed after the last one. */
function scheduleRetry(tried: Delivery, outcome: Outcome, { schedule, runtime }: RetryDeps): Delivery {
  const nowMs = runtime.now();
  const chance = runtime.randomBytes(4).readUInt32BE() / 2 ** 32;
  const failures = tried.failures + 1;
  const firstFailedAt = tried.firstFailedAt ?? isoFromMs(nowMs);
  const wait = waitAfter(schedule, failures, outcome, chance);
  const failed = { ...tried, failures, firstFailedAt, claimedBy: null };
  if (wait === null) return endDelivery(failed, 'failed');
  const leaves = leavesSerialQueue(schedule, failures, nowMs - msFromIso(firstFailedAt));
  return { ...failed, gate: leaves ? 'late' : tried.gate, dueAt: isoFromMs(nowMs + wait) };
}

function snippetOf({ body, isPrivate }: OutboundResponse): string | null {
  if (isPrivate === true || body.length === 0) return null;
  return body.subarray(0, MAX_SNIPPET_BYTES).toString('utf8').replaceAll('\0', '');
}
