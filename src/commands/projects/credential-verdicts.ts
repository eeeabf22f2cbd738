// Whether the store has accepted an app's credentials: a record of its latest response, kept beside them.
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { readRecord, replaceRecord, updateRecord } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { StoreVerdict, StoreVerdicts } from '../../adapters/store-verdicts.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';

export const credentialVerdictCollection = { name: 'credential_verdicts', indexes: [] };
const { name: c } = credentialVerdictCollection;

export type CredentialsCheck = {
  /** Null until the store has responded. */
  readonly valid: boolean | null;
  readonly lastCheckedAt: string | null;
  /** Why they were refused, or why the store could not be asked just now. */
  readonly lastError: string | null;
};

/** The same verdict again is written down only so often. */
const WRITTEN_EVERY_MS = 60_000;

type Needs = { readonly docs: DocStore; readonly runtime: Pick<Runtime, 'now'> };

export function createCredentialVerdicts({ docs, runtime }: Needs): StoreVerdicts {
  return {
    note: async (appId, verdict) => {
      const stored = await readRecord(docs, c, appId);
      const before = checkOf(stored.doc);
      const now = isoFromMs(runtime.now());
      const next = checked(before, verdict, now);
      const isOldNews = before.valid === next.valid && before.lastError === next.lastError;
      const writtenMs = before.lastCheckedAt === null ? 0 : msFromIso(before.lastCheckedAt);
      if (isOldNews && runtime.now() - writtenMs < WRITTEN_EVERY_MS) return;
      // Where two are written at once, either will do.
      await replaceRecord(docs, c, stored, { ...next });
    },
  };
}

function checked(before: CredentialsCheck, verdict: StoreVerdict, now: string): CredentialsCheck {
  if (verdict.kind === 'unheard') return { ...before, lastError: verdict.error };
  const isRefused = verdict.kind === 'refused';
  return { valid: !isRefused, lastCheckedAt: now, lastError: isRefused ? verdict.error : null };
}

export async function findCredentialsCheck({ docs }: Pick<Needs, 'docs'>, appId: string): Promise<CredentialsCheck> {
  return checkOf((await readRecord(docs, c, appId)).doc);
}

/** When other credentials take their place: the verdict on the former ones does not hold for them. */
export async function forgetCredentialsCheck({ docs }: Pick<Needs, 'docs'>, appId: string): Promise<void> {
  await updateRecord(docs, c, appId, () => null);
}

function checkOf(doc: Doc | null): CredentialsCheck {
  const text = (field: string) => (typeof doc?.[field] === 'string' ? doc[field] : null);
  const valid = typeof doc?.['valid'] === 'boolean' ? doc['valid'] : null;
  return { valid, lastCheckedAt: text('lastCheckedAt'), lastError: text('lastError') };
}
