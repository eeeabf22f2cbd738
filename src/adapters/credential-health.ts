// Status of store credentials, derived from every response of a store.
import { Unavailable } from '../domain/errors.js';

/**
 * Outcome of a request. `unheard`: the store could not be reached, so the credentials are neither accepted nor refused. `readInPart`: a
 * list was read except for the rows described by `error`; null when it was read completely.
 */
export type CredentialVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unheard'; readonly error: string }
  | { readonly kind: 'readInPart'; readonly error: string | null };

export interface CredentialVerdicts {
  record(appId: string, verdict: CredentialVerdict): Promise<void>;
}

/**
 * Makes a request with the credentials of an app, and records the outcome. `isRefused` recognises errors by which the store refuses the
 * credentials.
 */
export async function callWithCredentials<T>(
  o: { readonly verdicts: CredentialVerdicts; readonly appId: string; readonly isRefused: (err: unknown) => boolean },
  call: () => Promise<T>,
): Promise<T> {
  const { verdicts, appId, isRefused } = o;
  try {
    const result = await call();
    await verdicts.record(appId, { kind: 'accepted' });
    return result;
  } catch (err) {
    const error = err instanceof Error ? err.message : String(err);
    const kind = err instanceof Unavailable ? 'unheard' : isRefused(err) ? 'refused' : null;
    // Any other refusal shows that the store accepted the credentials.
    await verdicts.record(appId, kind ? { kind, error } : { kind: 'accepted' });
    throw err;
  }
}
