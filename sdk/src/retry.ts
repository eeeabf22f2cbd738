// Asking again: when the server says so, and when no response came and another request does no harm.
export type RetryOptions = {
  /** Tries in all; 4 unless given. */
  readonly attempts?: number;
  /** For one try, in milliseconds; 30,000 unless given. */
  readonly timeoutMs?: number;
  /** Ends waiting and asking. */
  readonly signal?: AbortSignal;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

const AWAY: ReadonlySet<number> = new Set([429, 503]);
const FIRST_PAUSE_MS = 250;
/** What asks for more patience than this is handed to the caller. */
const LONGEST_PAUSE_MS = 60_000;

/** A `fetch` that asks again. The last response, or what the last try threw, is the caller's. */
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
        if (!AWAY.has(response.status) || isLast || pauseMs > LONGEST_PAUSE_MS) return response;
        await response.body?.cancel();
      } catch (err) {
        if (isLast || stop.aborted || request.signal.aborted || !isRepeatable(request)) throw err;
      }
      await sleep(pauseMs, AbortSignal.any([request.signal, stop]));
    }
  };
}

/** Whether a request whose outcome is not known may be sent again. */
function isRepeatable(request: Request): boolean {
  return request.method === 'GET' || request.headers.has('idempotency-key');
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Rejects with the signal's reason. */
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
