// Whether stores accept the credentials that they are asked with: every response of a store shows it.
import { Unavailable } from '../domain/errors.js';

/**
 * `unheard`: the store could not be reached, so the credentials are neither accepted nor refused. `readInPart`: a list of the store was
 * read, without what `error` names; null: completely.
 */
export type StoreVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unheard'; readonly error: string }
  | { readonly kind: 'readInPart'; readonly error: string | null };

export interface StoreVerdicts {
  note(appId: string, verdict: StoreVerdict): Promise<void>;
}

/** Asks in the name of an app, and notes the verdict. `isRefused`: whether the store refused the credentials. */
export async function askAs<T>(
  o: { readonly verdicts: StoreVerdicts; readonly appId: string; readonly isRefused: (err: unknown) => boolean },
  call: () => Promise<T>,
): Promise<T> {
  const { verdicts, appId, isRefused } = o;
  try {
    const result = await call();
    await verdicts.note(appId, { kind: 'accepted' });
    return result;
  } catch (err) {
    const error = err instanceof Error ? err.message : String(err);
    const kind = err instanceof Unavailable ? 'unheard' : isRefused(err) ? 'refused' : null;
    // Anything else that the store refuses, it refuses to somebody it knows.
    await verdicts.note(appId, kind ? { kind, error } : { kind: 'accepted' });
    throw err;
  }
}
