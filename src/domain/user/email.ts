// The normal form of an email address: two spellings of one address are one account.

/** Idempotent: normalizing a normal form returns it unchanged. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
