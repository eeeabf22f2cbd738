// Short confirmations of actions, announced by screen readers.
import { signal } from '@preact/signals';

type Toast = { readonly id: number; readonly text: string };

const SHOWN_MS = 6000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

export function toast(text: string): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => (toasts.value = toasts.value.filter((one) => one.id !== id)), SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" aria-live="polite" role="status">
      {toasts.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
