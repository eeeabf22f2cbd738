// Retries requests: if the server requests it with `Retry-After`, and if no response arrived and a repetition is safe.
export type RetryOptions = {
  /** Total number of attempts; default 4. */
  readonly attempts?: number;
  /** Timeout of one attempt in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Aborts requests and waits. */
  readonly signal?: AbortSignal;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 503]);
const FIRST_PAUSE_MS = 250;
/** Longest wait; a response that requires a longer one is returned to the caller. */
const MAX_PAUSE_MS = 60_000;

/** Returns a `fetch` with retries. The caller gets the last response, or the error of the last attempt. */
export function retryingFetch(o: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { attempts = 4, timeoutMs = 30_000, signal: stop = new AbortController().signal } = o;
  const send = o.fetch ?? fetch;
  const sleep = o.sleep ?? pause;
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts;
      let pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1);
      try {
        const signal = AbortSignal.any([request.signal, stop, AbortSignal.timeout(timeoutMs)]);
        const response = await send(new Request(request.clone(), { signal }));
        pauseMs = retryAfterMs(response) ?? pauseMs;
        if (!RETRYABLE_STATUSES.has(response.status) || isLast || pauseMs > MAX_PAUSE_MS) return response;
        await response.body?.cancel();
      } catch (err) {
        if (isLast || stop.aborted || request.signal.aborted || !isRepeatable(request)) throw err;
      }
      await sleep(pauseMs, AbortSignal.any([request.signal, stop]));
    }
  };
}

/** Returns true if a request with an unknown result may be repeated. */
function isRepeatable(request: Request): boolean {
  return request.method === 'GET' || request.headers.has('idempotency-key');
}

/** Parses `Retry-After`, which is a number of seconds or a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Waits; rejects with the reason of the signal if it aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
