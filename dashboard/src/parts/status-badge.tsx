// The state of a customer or a subscription in words, with a colour that only repeats them.
import { words } from './format';

const TONES: Readonly<Record<string, string>> = {
  active: 'good',
  intro: 'good',
  trial: 'good',
  grace_period: 'warn',
  paused: 'warn',
  pending: 'warn',
  billing_retry: 'bad',
  refunded: 'bad',
  revoked: 'bad',
};

export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge ${TONES[status] ?? ''}`}>{words(status)}</span>;
}
