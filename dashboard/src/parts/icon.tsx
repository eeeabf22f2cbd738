// Icon of the Lucide set, in the colour of the text. It is decoration: the control or the text beside it has the name.
import type { IconNode } from 'lucide';
import { h } from 'preact';

export function Icon({ of }: { readonly of: IconNode }) {
  return (
    <svg
      class="lucide"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
