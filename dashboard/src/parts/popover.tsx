// Button that opens a panel next to it. Escape, a click elsewhere or leaving it with the keyboard closes the panel.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepPlaced } from './float';
import '../styles/popover.css';

export function Popover({
  label,
  text,
  align = 'start',
  class: className = '',
  children,
}: {
  /** Content of the button. */
  readonly label: ComponentChildren;
  /** Name of the panel and, unless the button's content is text, of the button. */
  readonly text: string;
  /** Side of the button that the panel is flush with. */
  readonly align?: 'start' | 'end';
  readonly class?: string;
  readonly children: () => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isOpen && panel.current && opener.current) return keepPlaced(panel.current, opener.current, align);
    return undefined;
  }, [isOpen, align]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && target.isConnected && !place.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  const closeByKey = (event: KeyboardEvent) => {
    // A dialog in the panel closes first.
    const isInDialog = event.target instanceof Element && event.target.closest('dialog') !== null;
    if (event.key !== 'Escape' || !isOpen || isInDialog) return;
    event.stopPropagation();
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div class={`popover ${className}`} ref={place} onKeyDown={closeByKey}>
      <button ref={opener} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      {isOpen && (
        <div ref={panel} class="panel" role="group" aria-label={text}>
          {children()}
        </div>
      )}
    </div>
  );
}
