// Joining a project by the token of an invitation.
import type { LogPosition } from '../../domain/envelope.js';
import { Rejection } from '../../domain/errors.js';
import { decideMember, invitationUnknownError } from '../../domain/project/decide-member.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps, Requester } from '../handling/deps.js';
import { claimInvitation } from './invitation-tokens.js';
import { runOnMembers } from './members.js';

export type JoinedMember<T> = { readonly projectId: string; readonly position: LogPosition | null; readonly made: T };

/**
 * Claims the token for one user first, so that only one of two concurrent users joins. `make` runs in between, for example to create the
 * user: only after the invitation is accepted, and it cannot be revoked until the member has joined. Throws {@link Rejection}
 * `invitation-unknown` (404) or `already-member` (409), and errors of `make`; the token can be used again then.
 */
export async function joinByInvitation<T>(
  deps: Deps,
  by: Requester,
  { token, userId }: { readonly token: string; readonly userId: string },
  make: () => Promise<T>,
): Promise<JoinedMember<T>> {
  const { projectId, invitationId, use, release } = await claimInvitation(deps, token, userId);
  const join = () => ({ kind: 'join', invitationId, userId, at: isoFromMs(deps.runtime.now()) }) as const;
  try {
    const project = await deps.projects.get(streams.project(projectId));
    if (!project) throw invitationUnknownError();
    decideMember(join(), project);
    const made = await make();
    const { position } = await runOnMembers(deps, by, projectId, join());
    await use();
    return { projectId, position, made };
  } catch (err) {
    // Only after a definite refusal: after an unknown outcome the member may have joined.
    if (err instanceof Rejection) await release();
    throw err;
  }
}
