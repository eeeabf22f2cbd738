// Value with a copy button, such as a URL for a store.
import { Copy as CopyIcon } from 'lucide';
import { Icon } from './icon';
import { toast } from './toast';

export function Copy({ value, label }: { readonly value: string; readonly label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    toast('Copied.');
  };
  return (
    <span class="copy">
      <code>{value}</code>
      <button
        type="button"
        class="quiet"
        aria-label={`Copy ${label}`}
        title={`Copy ${label}`}
        onClick={() => void copy()}
      >
        <Icon of={CopyIcon} />
      </button>
    </span>
  );
}
