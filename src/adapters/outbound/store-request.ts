// Requests to the stores, and the status of store credentials, which is derived from every response.
import type { z } from 'zod';
import { OutboundFailure, ReportsRefused, StoreUnavailable, Unavailable } from '../../domain/errors.js';
import { parseJson } from '../../domain/values/json.js';
import { inSpan } from '../tracing/spans.js';
import type { Outbound, OutboundResponse, OutboundRequest } from './port.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const DEFAULT_WAIT_S = 5;
const MAX_WAIT_S = 900;

export type RequestBounds = Pick<OutboundRequest, 'timeoutMs' | 'silenceMs' | 'maxResponseBytes'>;

type StoreRequest = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'> & {
  /** Name of the call in traces: the path without IDs and tokens, such as `/v1/transactions`. */
  readonly call: string;
  /** Bounds of a response that is larger than those about purchases. */
  readonly bounds?: RequestBounds;
  readonly signal?: AbortSignal;
};

/** Returns the response of any status, except those that mean a later retry. Throws {@link StoreUnavailable}. */
export function requestStore(outbound: Outbound, { call, ...request }: StoreRequest): Promise<OutboundResponse> {
  const { method, url } = request;
  const { hostname } = new URL(url);
  const attributes = { 'http.request.method': method, 'server.address': hostname, 'url.template': call };
  return inSpan(`${method} ${call}`, { kind: 'client', attributes }, (span) =>
    send(outbound, request, hostname, (response) => {
      span.set({ 'http.response.status_code': response.status });
      if (response.status >= 400) span.fail(String(response.status));
    }),
  );
}

async function send(
  outbound: Outbound,
  storeRequest: Omit<StoreRequest, 'call'>,
  hostname: string,
  onResponse: (response: OutboundResponse) => void,
): Promise<OutboundResponse> {
  const { bounds = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES }, signal, ...request } = storeRequest;
  try {
    const response = await outbound.send({ ...request, ...bounds }, signal);
    onResponse(response);
    if (response.status !== 429 && response.status < 500) return response;
    throw new StoreUnavailable(`${hostname} responded with ${response.status}`, waitSecondsOf(response));
  } catch (err) {
    if (err instanceof OutboundFailure) throw new StoreUnavailable(`${hostname} cannot be reached: ${err.code}`, 5);
    throw err;
  }
}

/** A greater number is a time, in ms since the epoch: the ios-store says so when it may be asked again. */
const MAX_SECONDS = 1e9;

/** Returns the seconds for which the store asks to wait; a time is taken by the store's own clock. */
function waitSecondsOf({ headers }: OutboundResponse): number {
  const { 'retry-after': text = '', date = '' } = headers;
  const number = Number(text);
  const at = Number.isNaN(number) ? Date.parse(text) : number > MAX_SECONDS ? number : null;
  const seconds = at === null ? number : Math.ceil((at - Date.parse(date)) / 1000);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, MAX_WAIT_S) : DEFAULT_WAIT_S;
}

/** Parses the response. Throws {@link StoreUnavailable} when it does not match: the sender, or this code, has to change first. */
export function readResponse<S extends z.ZodType>(
  schema: S,
  { body, truncated }: OutboundResponse,
  sender = 'the store',
): z.output<S> {
  const read = truncated ? null : schema.safeParse(parseJson(body.toString()));
  if (read?.success) return read.data;
  const faults = (read?.error.issues ?? []).map((issue) => issue.path.join('.') || issue.message);
  throw new StoreUnavailable(`invalid response of ${sender}: ${faults.join(', ') || 'too long'}`, 60);
}

/** The greatest file that an upload may have. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
/** Bounds of the response with a financial report, which a store may write only when it is asked for. */
export const REPORT_BOUNDS: RequestBounds = {
  timeoutMs: 60_000,
  silenceMs: 50_000,
  maxResponseBytes: MAX_REPORT_BYTES,
};

/** Returns the file of a response. Throws {@link ReportsRefused} for one of which only the beginning was read. */
export function readReport({ body, truncated }: OutboundResponse): Buffer {
  if (!truncated) return body;
  const message = `the report is larger than ${MAX_REPORT_BYTES / 1024 / 1024} MiB; download it and add its parts by hand`;
  throw new ReportsRefused('report_too_large', message);
}

/**
 * Outcome of a request. `unheard`: the store could not be reached, so the credentials are neither accepted nor refused. `readInPart`: a
 * list was read except for the rows described by `error`; null when it was read completely.
 */
export type CredentialVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unheard'; readonly error: string }
  | { readonly kind: 'readInPart'; readonly error: string | null };

export interface CredentialVerdicts {
  record(appId: string, verdict: CredentialVerdict): Promise<void>;
}

/**
 * Makes a request with the credentials of an app, and records the outcome. `isRefused` recognises errors by which the store refuses the
 * credentials.
 */
export async function callWithCredentials<T>(
  o: { readonly verdicts: CredentialVerdicts; readonly appId: string; readonly isRefused: (err: unknown) => boolean },
  call: () => Promise<T>,
): Promise<T> {
  const { verdicts, appId, isRefused } = o;
  try {
    const result = await call();
    await verdicts.record(appId, { kind: 'accepted' });
    return result;
  } catch (err) {
    const error = err instanceof Error ? err.message : String(err);
    const kind = err instanceof Unavailable ? 'unheard' : isRefused(err) ? 'refused' : null;
    // Any other refusal shows that the store accepted the credentials.
    await verdicts.record(appId, kind ? { kind, error } : { kind: 'accepted' });
    throw err;
  }
}
