// Button that opens a list of actions. The list stays mounted, because an action in it may have opened its dialog.
import { Ellipsis } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon';
import '../styles/menu.css';

const GAP_PX = 4;
const MARGIN_PX = 8;

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
    positionBelow(list.current, opener.current);
    const dismiss = (event: Event) => {
      if (event.target instanceof Node && place.current?.contains(event.target)) return;
      setOpen(false);
    };
    const events = ['pointerdown', 'focusin', 'scroll'] as const;
    for (const name of events) document.addEventListener(name, dismiss, true);
    return () => {
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

/** Places the list below the button, or above it at the end of the window, within the margins of the window. */
function positionBelow(list: HTMLElement, button: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const below = bottom + GAP_PX;
  const fits = below + height + MARGIN_PX <= window.innerHeight;
  list.style.top = `${fits ? below : Math.max(MARGIN_PX, top - GAP_PX - height)}px`;
  list.style.left = `${Math.max(MARGIN_PX, Math.min(right - width, window.innerWidth - width - MARGIN_PX))}px`;
}
