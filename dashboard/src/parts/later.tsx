// What stands below what people came for: drawn after it, in a task of its own, so that neither holds the page up for long.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Later({ children }: { readonly children: ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true));
    return () => clearTimeout(timer);
  }, []);
  return isDue ? <>{children}</> : null;
}
