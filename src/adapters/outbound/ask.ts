// One question to a store and its answer as JSON. What is the store's trouble is `Unavailable`; a refusal is the caller's.
import type { z } from 'zod';
import { OutboundFailure, Unavailable } from '../../domain/errors.js';
import type { Outbound, OutboundAnswer, OutboundRequest } from './port.js';

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_WAIT_S = 900;

export type Question = Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>;

/** The answer, whatever it says, unless it asks to come again. Throws {@link Unavailable}. */
export async function ask(outbound: Outbound, question: Question): Promise<OutboundAnswer> {
  const { hostname } = new URL(question.url);
  const request = { ...question, timeoutMs: TIMEOUT_MS, maxResponseBytes: MOST_BYTES };
  try {
    const answer = await outbound.send(request);
    if (answer.status !== 429 && answer.status < 500) return answer;
    const named = Number(answer.headers['retry-after']);
    const waitS = Number.isFinite(named) && named > 0 ? Math.min(named, LONGEST_WAIT_S) : 5;
    throw new Unavailable(`${hostname} answered with ${answer.status}`, waitS);
  } catch (err) {
    if (err instanceof OutboundFailure) throw new Unavailable(`${hostname} cannot be reached: ${err.code}`, 5);
    throw err;
  }
}

/** What the schema reads. Throws {@link Unavailable}: the store, or this code, has to change first. */
export function readAnswer<S extends z.ZodType>(schema: S, { body, truncated }: OutboundAnswer): z.output<S> {
  const read = truncated ? null : schema.safeParse(parsed(body.toString()));
  if (read?.success) return read.data;
  const faults = (read?.error.issues ?? []).map((issue) => issue.path.join('.') || issue.message);
  throw new Unavailable(`the store answered unreadably; look at ${faults.join(', ') || 'its length'}`, 60);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it and says so.
    return undefined;
  }
}
