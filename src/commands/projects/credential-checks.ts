// Record of the store's latest verdict on an app's credentials, stored in addition to them.
import type { Doc, DocStore } from '../../adapters/documents/port.js';
import { readRecord, replaceRecord, updateRecord } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { CredentialVerdict, CredentialVerdicts } from '../../adapters/outbound/store-request.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';

export const credentialVerdictCollection = { name: 'credential_verdicts', indexes: [] };
const { name: c } = credentialVerdictCollection;

export type CredentialsCheck = {
  /** Null until the store has responded. */
  readonly valid: boolean | null;
  readonly lastCheckedAt: string | null;
  /** Reason of the refusal, of the failed check, or of unreadable lists. */
  readonly lastError: string | null;
};

/** `listError`: error about unreadable entries of the store's latest list. */
type Verdict = CredentialsCheck & { readonly listError: string | null };

/** Minimum interval between writes of an unchanged verdict. */
const WRITE_INTERVAL_MS = 60_000;

type Needs = { readonly docs: DocStore; readonly runtime: Pick<Runtime, 'now'> };

export function createCredentialVerdicts({ docs, runtime }: Needs): CredentialVerdicts {
  return {
    record: async (appId, verdict) => {
      const stored = await readRecord(docs, c, appId);
      const before = recordOf(stored.doc);
      const now = isoFromMs(runtime.now());
      const next = verdictAfterCheck(before, verdict, now);
      const names = ['valid', 'lastError', 'listError'] as const;
      const isOldNews = names.every((name) => before[name] === next[name]);
      const writtenMs = before.lastCheckedAt === null ? 0 : msFromIso(before.lastCheckedAt);
      if (isOldNews && runtime.now() - writtenMs < WRITE_INTERVAL_MS) return;
      // Of two concurrent writes either is correct.
      await replaceRecord(docs, c, stored, { ...next });
    },
  };
}

function verdictAfterCheck(before: Verdict, verdict: CredentialVerdict, now: string): Verdict {
  if (verdict.kind === 'readInPart') return { ...before, listError: verdict.error };
  if (verdict.kind === 'unheard') return { ...before, lastError: verdict.error };
  const isRefused = verdict.kind === 'refused';
  return { ...before, valid: !isRefused, lastCheckedAt: now, lastError: isRefused ? verdict.error : null };
}

export async function findCredentialsCheck({ docs }: Pick<Needs, 'docs'>, appId: string): Promise<CredentialsCheck> {
  const { listError, ...check } = recordOf((await readRecord(docs, c, appId)).doc);
  return { ...check, lastError: check.lastError ?? listError };
}

/** Deletes the verdict when the credentials are replaced, because it applies only to the former ones. */
export async function deleteCredentialsCheck({ docs }: Pick<Needs, 'docs'>, appId: string): Promise<void> {
  await updateRecord(docs, c, appId, () => null);
}

function recordOf(doc: Doc | null): Verdict {
  const text = (field: string) => (typeof doc?.[field] === 'string' ? doc[field] : null);
  const valid = typeof doc?.['valid'] === 'boolean' ? doc['valid'] : null;
  // Earlier versions stored it as `leftOut`.
  const listError = text('listError') ?? text('leftOut');
  return { valid, lastCheckedAt: text('lastCheckedAt'), lastError: text('lastError'), listError };
}
