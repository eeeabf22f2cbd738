// Modal dialog: the browser keeps the focus inside and restores it when the dialog closes.
import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon';

export function Dialog({
  title,
  onClose,
  children,
  class: className = '',
  canClose = true,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly canClose?: boolean;
}) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = place.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      class={className}
      aria-labelledby={id}
      onCancel={(event) => {
        if (canClose) onClose();
        else event.preventDefault();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {canClose && (
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            <Icon of={X} />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
