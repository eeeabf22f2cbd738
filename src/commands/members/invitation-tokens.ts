// Invitation tokens: records under their SHA-256, the only part that is stored. Each token admits one person within seven days.
import type { CollectionSpec } from '../../adapters/documents/port.js';
import {
  buildInsertion,
  readRecord,
  removeMatching,
  replaceRecord,
  updateRecord,
} from '../../adapters/documents/records.js';
import type { Deps } from '../handling/deps.js';
import { Rejection, RetryLater } from '../../domain/errors.js';
import { invitationUnknownError } from '../../domain/project/decide-member.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { sha256Of } from '../accounts/api-key.js';

/** Indexed by their end, so that expired tokens can be purged. */
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
/** A few writes separate claim and event. An older claim was left by a crash and must not block the token permanently. */
const CLAIM_MS = 60_000;

/** Returns the end of an invitation created now, ISO 8601 UTC. */
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
  if ((await docs.write([[buildInsertion(c, id, o)]])) === 'lost' && (await readRecord(docs, c, id)).doc === null)
    throw new RetryLater('the new token is taken; retry in 1 second', 1);
  return token;
}

/** Token that is claimed by one user while joining. */
export type Claim = InvitationRef & {
  /** Marks the token as used. */
  readonly use: () => Promise<void>;
  /** Makes the token usable again, because nobody joined. */
  readonly release: () => Promise<void>;
};

/** Throws {@link Rejection} `invitation-unknown` for an invalid token, and while another user is joining with it. */
export async function claimInvitation({ docs, runtime }: Needs, token: string, userId: string): Promise<Claim> {
  const id = sha256Of(token);
  const { doc } = await updateRecord(docs, c, id, (stored) => {
    const now = runtime.now();
    if (!stored || String(stored['endsAt']) <= isoFromMs(now)) throw invitationUnknownError();
    if (stored['claimedBy'] !== userId && isClaimed(stored, now)) throw invitationUnknownError();
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

/** Throws {@link Rejection} while a user is joining with it. */
export async function deleteInvitationToken({ docs, runtime }: Needs, ref: InvitationRef): Promise<void> {
  const { rows } = await docs.scan(c, { index: 'invitation', eq: [ref.projectId, ref.invitationId], limit: 10 });
  for (const row of rows) {
    const isFree = !isClaimed(row.doc, runtime.now());
    if (isFree && (await replaceRecord(docs, c, row, null)) !== null) continue;
    throw new Rejection(
      'conflict',
      'invitation-in-use',
      'another user is joining with this invitation; try again later',
    );
  }
}

function isClaimed(doc: Readonly<Record<string, unknown>>, nowMs: number): boolean {
  return doc['claimedAt'] !== undefined && nowMs - msFromIso(String(doc['claimedAt'])) < CLAIM_MS;
}

const PURGE_BATCH = 500;

/** Removes the records of expired tokens. Returns the number removed. `now`: ISO 8601, UTC. */
export function purgeEndedInvitations(docs: Needs['docs'], now: string, signal: AbortSignal): Promise<number> {
  return removeMatching(docs, c, { index: 'end', eq: [], to: now, limit: PURGE_BATCH }, signal);
}
