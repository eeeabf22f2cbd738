// Kinds of changes in the audit, in words.
import { sentenceCase } from '../parts/format';

/** Converts `ApiKeyDeleted` to `API key deleted`. */
export function eventWords(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return sentenceCase(words).replace(/\bapi\b/i, 'API');
}
