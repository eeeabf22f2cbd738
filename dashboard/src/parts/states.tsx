// Placeholders for missing content: loading, empty or failed, each with the next step.
import type { ComponentChildren } from 'preact';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what}…
    </p>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Problem({ error, onRetry }: { readonly error: Error; readonly onRetry?: (() => void) | undefined }) {
  const isAway = error.name === 'TypeError';
  return (
    <div class="problem" role="alert">
      <p>{isAway ? 'The server cannot be reached. Check that it is running.' : error.message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Renders the data or a placeholder. Previous data stays visible while newer data is loading. */
export function QueryView<T>({
  of,
  what,
  children,
}: {
  readonly of: {
    readonly data: T | undefined;
    readonly error: Error | undefined;
    readonly isLoading: boolean;
    readonly refetch: () => void;
  };
  readonly what: string;
  readonly children: (data: T) => ComponentChildren;
}) {
  if (of.error) return <Problem error={of.error} onRetry={of.refetch} />;
  if (of.data === undefined) return <Loading what={what} />;
  return (
    <div class={of.isLoading ? 'stale' : undefined} aria-busy={of.isLoading}>
      {children(of.data)}
    </div>
  );
}
