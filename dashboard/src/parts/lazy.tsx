// Shows a component whose code is loaded after the page, so that the page appears sooner.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Defines a component whose code `load` brings; it is empty until then. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function Lazy(props: P) {
    const [View, setView] = useState<ComponentType<P> | null>(null);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      load().then(
        (component) => setView(() => component),
        () => setFailed(true),
      );
    }, []);
    if (hasFailed) return <span role="alert">Reload the page to see the button.</span>;
    return View && <View {...props} />;
  };
}
