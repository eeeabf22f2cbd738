// One question to a store and its response as JSON. What is the store's trouble is `StoreUnavailable`; a refusal is the caller's.
import type { z } from 'zod';
import { OutboundFailure, StoreUnavailable } from '../../domain/errors.js';
import type { Outbound, OutboundResponse, OutboundRequest } from './port.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_WAIT_S = 900;

export type StoreRequest = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The response, whatever its status, unless it asks to try again later. Throws {@link StoreUnavailable}. */
export async function ask(outbound: Outbound, question: StoreRequest): Promise<OutboundResponse> {
  const { hostname } = new URL(question.url);
  const request = { ...question, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES };
  try {
    const response = await outbound.send(request);
    if (response.status !== 429 && response.status < 500) return response;
    const named = Number(response.headers['retry-after']);
    const waitS = Number.isFinite(named) && named > 0 ? Math.min(named, MAX_WAIT_S) : 5;
    throw new StoreUnavailable(`${hostname} answered with ${response.status}`, waitS);
  } catch (err) {
    if (err instanceof OutboundFailure) throw new StoreUnavailable(`${hostname} cannot be reached: ${err.code}`, 5);
    throw err;
  }
}

/** What the schema reads. Throws {@link StoreUnavailable}: the store, or this code, has to change first. */
export function readResponse<S extends z.ZodType>(schema: S, { body, truncated }: OutboundResponse): z.output<S> {
  const read = truncated ? null : schema.safeParse(parsed(body.toString()));
  if (read?.success) return read.data;
  const faults = (read?.error.issues ?? []).map((issue) => issue.path.join('.') || issue.message);
  throw new StoreUnavailable(`the store answered unreadably; look at ${faults.join(', ') || 'its length'}`, 60);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it.
    return undefined;
  }
}
