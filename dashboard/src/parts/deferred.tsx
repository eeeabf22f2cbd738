// Defers secondary content to a separate task, so that the main content of a page renders first.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Deferred({ children }: { readonly children: ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true));
    return () => clearTimeout(timer);
  }, []);
  return isDue ? <>{children}</> : null;
}
