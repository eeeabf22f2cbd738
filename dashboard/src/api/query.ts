// Cache of server data by key: loaded once, shared by all pages, and loaded again after a write.
import { useEffect, useState } from 'preact/hooks';

export type QueryState<T> = {
  /** Data of the current key or, while that is loading, of the previous key. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly refetch: () => void;
};

type CachedQuery = { readonly data: unknown; readonly at: number };

const FRESH_MS = 15_000;
/** Interval of retries while the server cannot return the data yet. */
const RETRY_MS = 5000;
const MAX_CACHED = 200;
const cachedQueries = new Map<string, CachedQuery>();
/** Reload functions of the queries on the current page. */
const activeQueries = new Set<() => Promise<void>>();

/** Reloads everything, after a write. */
export function invalidate(): void {
  void refresh();
}

/** Reloads everything and resolves when all queries on the page have finished, successfully or not. */
export async function refresh(): Promise<void> {
  cachedQueries.clear();
  await Promise.all([...activeQueries].map((ask) => ask()));
}

/** Preloads data that a query with this key will need next. */
export async function preload(key: string, load: () => Promise<unknown>): Promise<void> {
  cacheData(key, await load());
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
    let controller = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const reload = async () => {
      controller.abort();
      const { signal } = (controller = new AbortController());
      try {
        const data = await load(signal);
        if (signal.aborted) return;
        cacheData(key, data);
        setState({ key, data });
      } catch (error) {
        if (signal.aborted) return;
        setState((before) => ({ ...before, key, error: error as Error }));
        if (isNotReady(error)) retry = setTimeout(() => void reload(), RETRY_MS);
      }
    };
    const cached = cachedQueries.get(key);
    if (cached) setState({ key, data: cached.data as T });
    if (!cached || Date.now() - cached.at >= FRESH_MS || round > 0) void reload();
    activeQueries.add(reload);
    return () => {
      clearTimeout(retry);
      activeQueries.delete(reload);
      controller.abort();
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

function cacheData(key: string, data: unknown): void {
  cachedQueries.delete(key);
  cachedQueries.set(key, { data, at: Date.now() });
  const [oldest] = cachedQueries.keys();
  if (cachedQueries.size > MAX_CACHED && oldest !== undefined) cachedQueries.delete(oldest);
}
