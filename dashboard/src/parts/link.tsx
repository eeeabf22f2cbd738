// Link within the dashboard. The browser's keys for new tabs keep working.
import type { ComponentChildren } from 'preact';
import { hrefOf, navigate } from '../context/router';

export function Link({
  to,
  children,
  class: className,
  isCurrent = false,
}: {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly isCurrent?: boolean;
}) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={hrefOf(to)} class={className} aria-current={isCurrent ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
