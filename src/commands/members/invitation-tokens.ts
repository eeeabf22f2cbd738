// The tokens of invitations: records under their SHA-256, which is all that is kept of them. Each lets one person in, within seven days.
import type { CollectionSpec } from '../../adapters/documents/port.js';
import { insertion, readRecord, removeAll, replaceRecord, updateRecord } from '../../adapters/documents/records.js';
import type { Deps } from '../handling/deps.js';
import { Rejection, RetryLater } from '../../domain/errors.js';
import { invitationUnknown } from '../../domain/project/decide-member.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { sha256Of } from '../accounts/api-key.js';

/** Ordered by their end, for who clears away what has ended. */
export const invitationTokenCollection: CollectionSpec = {
  name: 'invitation_tokens',
  indexes: [
    { name: 'end', fields: ['endsAt'] },
    { name: 'invitation', fields: ['projectId', 'invitationId'] },
  ],
};
const { name: c } = invitationTokenCollection;

export type InvitationRef = { readonly projectId: string; readonly invitationId: string };
type Needs = Pick<Deps, 'docs' | 'runtime'>;

const DAYS = 7;
const DAY_MS = 24 * 3600_000;
/** Between claim and event lie a few writes. A claim that is older belongs to a crash, and must not keep everybody out. */
const CLAIM_MS = 60_000;

/** When an invitation that is made now ends, ISO 8601 UTC. */
export function endOfInvitation({ runtime }: Pick<Needs, 'runtime'>): string {
  return isoFromMs(runtime.now() + DAYS * DAY_MS);
}

/** Returns the token, which is shown once. */
export async function issueInvitationToken(
  { docs, runtime }: Needs,
  o: InvitationRef & { readonly endsAt: string },
): Promise<string> {
  const token = `inv_${runtime.randomBytes(32).toString('base64url')}`;
  const id = sha256Of(token);
  // The same request again draws the same token.
  if ((await docs.write([[insertion(c, id, o)]])) === 'lost' && (await readRecord(docs, c, id)).doc === null)
    throw new RetryLater('the new token is taken; retry in 1 second', 1);
  return token;
}

/** A token that one user holds, for as long as the joining takes. */
export type Claim = InvitationRef & {
  /** It was used: nobody can any more. */
  readonly use: () => Promise<void>;
  /** Nobody joined: others may. */
  readonly release: () => Promise<void>;
};

/** Throws {@link Rejection} `invitation-unknown` for whatever lets nobody in, also while somebody else is joining by it. */
export async function claimInvitation({ docs, runtime }: Needs, token: string, userId: string): Promise<Claim> {
  const id = sha256Of(token);
  const { doc } = await updateRecord(docs, c, id, (stored) => {
    const now = runtime.now();
    if (!stored || String(stored['endsAt']) <= isoFromMs(now)) throw invitationUnknown();
    if (stored['claimedBy'] !== userId && isClaimed(stored, now)) throw invitationUnknown();
    return { ...stored, claimedBy: userId, claimedAt: isoFromMs(now) };
  });
  return {
    projectId: String(doc?.['projectId']),
    invitationId: String(doc?.['invitationId']),
    use: async () => {
      await updateRecord(docs, c, id, () => null);
    },
    release: async () => {
      await updateRecord(docs, c, id, (stored) => {
        if (stored?.['claimedBy'] !== userId) return undefined;
        const { claimedBy: _by, claimedAt: _at, ...free } = stored;
        return free;
      });
    },
  };
}

/** Throws {@link Rejection} while somebody is joining by it. */
export async function forgetInvitation({ docs, runtime }: Needs, ref: InvitationRef): Promise<void> {
  const { rows } = await docs.scan(c, { index: 'invitation', eq: [ref.projectId, ref.invitationId], limit: 10 });
  for (const row of rows) {
    const isFree = !isClaimed(row.doc, runtime.now());
    if (isFree && (await replaceRecord(docs, c, row, null)) !== null) continue;
    throw new Rejection('conflict', 'invitation-in-use', 'somebody is joining by this invitation at this moment');
  }
}

function isClaimed(doc: Readonly<Record<string, unknown>>, nowMs: number): boolean {
  return doc['claimedAt'] !== undefined && nowMs - msFromIso(String(doc['claimedAt'])) < CLAIM_MS;
}

const PURGED_AT_ONCE = 500;

/** Removes the records of tokens that let nobody in any more. Returns how many went. `now`: ISO 8601, UTC. */
export function purgeEndedInvitations(docs: Needs['docs'], now: string, signal: AbortSignal): Promise<number> {
  return removeAll(docs, c, { index: 'end', eq: [], to: now, limit: PURGED_AT_ONCE }, signal);
}
