// Answers to the question of a store about a refund, in words.
import type { Schemas } from '../api/client';

type Preference = Schemas['RefundRequest']['preferences'][number];

export const refundAnswers: Readonly<Record<Preference, string>> = {
  decline: 'Decline the refund',
  grant_full: 'Grant the whole refund',
  grant_prorated: 'Grant a prorated refund',
};

/** Returns the answers as choices of a form. */
export function refundChoices(preferences: readonly Preference[]): readonly (readonly [Preference, string])[] {
  return preferences.map((preference) => [preference, refundAnswers[preference]] as const);
}
