// The one form of an email address: what a person types in two ways is one account.

/** Applying it twice changes nothing. */
export function normalEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
