// Cache of server data by key: loaded once, shared by all pages, and loaded again after a write.
import { useEffect, useState } from 'preact/hooks';

export type QueryState<T> = {
  /** Data of the current key or, while that is loading, of the previous key. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly refetch: () => void;
};

type Kept = { readonly data: unknown; readonly at: number };

const FRESH_MS = 15_000;
/** Interval of retries while the server cannot return the data yet. */
const RETRY_MS = 5000;
const MAX_KEPT = 200;
const kept = new Map<string, Kept>();
/** Reload functions of the queries on the current page. */
const shown = new Set<() => Promise<void>>();

/** Reloads everything, after a write. */
export function invalidate(): void {
  void refresh();
}

/** Reloads everything and resolves when all queries on the page have finished, successfully or not. */
export async function refresh(): Promise<void> {
  kept.clear();
  await Promise.all([...shown].map((ask) => ask()));
}

/** Preloads data that a query with this key will need next. */
export async function askAhead(key: string, load: () => Promise<unknown>): Promise<void> {
  keep(key, await load());
}

/** Loads nothing if `key` is null. `every` is the interval in milliseconds of reloads while the page is visible. */
export function useQuery<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { every }: { readonly every?: number | undefined } = {},
): QueryState<T> {
  const [state, setState] = useState<{ key: string | null; data?: T; error?: Error }>({ key: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (key === null) return;
    let asking = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      asking.abort();
      const { signal } = (asking = new AbortController());
      try {
        const data = await load(signal);
        if (signal.aborted) return;
        keep(key, data);
        setState({ key, data });
      } catch (error) {
        if (signal.aborted) return;
        setState((before) => ({ ...before, key, error: error as Error }));
        if (isNotReady(error)) retry = setTimeout(() => void ask(), RETRY_MS);
      }
    };
    const cached = kept.get(key);
    if (cached) setState({ key, data: cached.data as T });
    if (!cached || Date.now() - cached.at >= FRESH_MS || round > 0) void ask();
    shown.add(ask);
    return () => {
      clearTimeout(retry);
      shown.delete(ask);
      asking.abort();
    };
  }, [key, round]);
  useEffect(() => {
    if (every === undefined || key === null) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && setRound((n) => n + 1), every);
    return () => clearInterval(timer);
  }, [every, key]);
  return {
    data: state.data,
    error: state.key === key ? state.error : undefined,
    isLoading: key !== null && state.key !== key,
    refetch: () => setRound((n) => n + 1),
  };
}

function isNotReady(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 503;
}

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, { data, at: Date.now() });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
