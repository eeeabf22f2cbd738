// Value with a copy button, such as a URL for a store.
import { toast } from './toast';

export function Copy({ value, label }: { readonly value: string; readonly label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    toast('Copied.');
  };
  return (
    <span class="row">
      <code>{value}</code>
      <button type="button" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </button>
    </span>
  );
}
