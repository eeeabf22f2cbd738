// State of a customer, a subscription or a message as a word; the colour only repeats it.
import { wordsOf } from './format';

const TONES: Readonly<Record<string, string>> = {
  active: 'good',
  intro: 'good',
  trial: 'good',
  running: 'good',
  grace_period: 'warn',
  paused: 'warn',
  pending: 'warn',
  billing_retry: 'bad',
  delivered: 'good',
  handled: 'good',
  held: 'warn',
  waiting: 'warn',
  parked: 'bad',
  refused: 'bad',
  failed: 'bad',
  refunded: 'bad',
  revoked: 'bad',
};

export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge ${TONES[status] ?? ''}`}>{wordsOf(status)}</span>;
}
