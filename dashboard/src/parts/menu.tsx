// Button that opens a list of actions. The list stays mounted, because an action in it may have opened its dialog.
import { Ellipsis } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepPlaced } from './float';
import { Icon } from './icon';
import '../styles/menu.css';

export function Menu({
  label,
  button,
  class: className = 'menu',
  children,
}: {
  /** Name of the button for screen readers. */
  readonly label: string;
  /** Content of the button; three dots if undefined. */
  readonly button?: ComponentChildren;
  readonly class?: string;
  /** Buttons and dialogs; a click on a button closes the menu. */
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const close = () => {
    opener.current?.focus();
    setOpen(false);
  };
  useEffect(() => {
    if (!isOpen || !opener.current || !list.current) return;
    const release = keepPlaced(list.current, opener.current, 'end');
    const dismiss = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target)) return;
      setOpen(false);
    };
    const events = ['pointerdown', 'focusin', 'scroll'] as const;
    for (const name of events) document.addEventListener(name, dismiss, true);
    return () => {
      release();
      for (const name of events) document.removeEventListener(name, dismiss, true);
    };
  }, [isOpen]);
  return (
    <div ref={place} class={className} onKeyDown={(event) => isOpen && event.key === 'Escape' && close()}>
      <button
        ref={opener}
        type="button"
        class="quiet controls"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {button ?? <Icon of={Ellipsis} />}
      </button>
      <div
        ref={list}
        class={isOpen ? 'menu-list open' : 'menu-list'}
        onClick={({ target }) => isOpen && target instanceof Element && target.closest('button') && close()}
      >
        {children}
      </div>
    </div>
  );
}
