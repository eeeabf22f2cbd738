// Requests as a store's servers send them: many, small, over connections that stay open. Repeated while the service is away.
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';

export type Reply = { readonly status: number; readonly text: string };
export type Send = (
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => Promise<Reply>;

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 250;
const AWAY: ReadonlySet<number> = new Set([429, 503]);

/** `url` without a path. Throws what the last attempt threw; every request must be one that may be repeated. */
export function createSend(url: string, signal: AbortSignal): Send {
  const pool = new Pool(url, { connections: 32 });
  signal.addEventListener('abort', () => void pool.destroy(), { once: true });
  return async (method, path, headers, body) => {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const isLast = attempt >= ATTEMPTS;
      try {
        const answer = await pool.request({ method, path, headers, body: body ?? null });
        const text = await answer.body.text();
        if (!AWAY.has(answer.statusCode) || isLast) return { status: answer.statusCode, text };
      } catch (err) {
        if (isLast || signal.aborted) throw err;
      }
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal });
    }
  };
}
