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

/** Words for states whose name alone would mislead: `never` bought a subscription, but perhaps something else. */
const WORDS: Readonly<Record<string, string>> = { never: 'no subscription' };

export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge ${toneOf(status)}`}>{statusText(status)}</span>;
}

export function toneOf(status: string): string {
  return TONES[status] ?? '';
}

export function statusText(status: string): string {
  return WORDS[status] ?? wordsOf(status);
}
