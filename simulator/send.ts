// Sends many small requests over keep-alive connections, as a store's servers do. Repeats them while the service is unavailable.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export type Reply = { readonly status: number; readonly text: string };
export type Send = (
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => Promise<Reply>;

const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 250;
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** `url` has no path. Throws the error of the last attempt. Requests must be idempotent. */
export function createSend(url: string, signal: AbortSignal): Send {
  const agent = new Agent({ keepAlive: true });
  signal.addEventListener('abort', () => agent.destroy(), { once: true });
  const sendOnce = async (...[method, path, headers, body = '']: Parameters<Send>): Promise<Reply> => {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(`${url}${path}`, { method, agent, headers: { ...headers, ...length } });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  };
  return async (...request) => {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const isLast = attempt >= MAX_ATTEMPTS;
      try {
        const reply = await sendOnce(...request);
        if (!RETRYABLE_STATUSES.has(reply.status) || isLast) return reply;
      } catch (err) {
        if (isLast || signal.aborted) throw err;
      }
      await wait(FIRST_DELAY_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  };
}
