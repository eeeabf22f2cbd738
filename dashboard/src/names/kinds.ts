// Technical kinds as words: `SUBSCRIBED/INITIAL_BUY`, `SubscriptionStarted`.

/** Converts `DID_RENEW/BILLING_RECOVERY` to `Did renew, billing recovery`. */
export function notificationWords(kind: string): string {
  return sentenceCase(kind.replaceAll('/', ', ').replaceAll('_', ' ').toLowerCase());
}

/** Converts `ApiKeyDeleted` to `API key deleted`. */
export function eventWords(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return sentenceCase(words).replace(/\bapi\b/i, 'API');
}

const OUTCOMES: Readonly<Record<string, string>> = {
  applied: 'recorded',
  no_change: 'known already',
  stale: 'outdated by a newer one',
  ignored_unknown_type: 'stored; this version does not know the type',
  refused: 'refused',
};

/** Describes the result of a notification; null before it is processed. */
export function outcomeText(outcome: string | null): string {
  return outcome === null ? 'nothing yet' : (OUTCOMES[outcome] ?? outcome);
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
