// What the page shows of the server: asked for once per key, kept while other pages are looked at, asked again when something was changed.
import { useEffect, useState } from 'preact/hooks';

export type QueryState<T> = {
  /** Of the key asked for, or, while that is on its way, of the key before. */
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly refetch: () => void;
};

type Kept = { readonly data: unknown; readonly at: number };

const FRESH_MS = 15_000;
/** What the server cannot show yet is asked for again. */
const RETRY_MS = 5000;
const MAX_KEPT = 200;
const kept = new Map<string, Kept>();
/** Ask again for what is shown. */
const shown = new Set<() => Promise<void>>();

/** Everything is asked for again: after a write. */
export function invalidate(): void {
  void refresh();
}

/** The same; resolves when what is shown is that of after the write, as far as it could be had. */
export async function refresh(): Promise<void> {
  kept.clear();
  await Promise.all([...shown].map((ask) => ask()));
}

/** For what is sure to be asked for next under that key. */
export async function askAhead(key: string, load: () => Promise<unknown>): Promise<void> {
  keep(key, await load());
}

/** `key` null asks for nothing. `every`: milliseconds after which it is asked again while the page is looked at. */
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
