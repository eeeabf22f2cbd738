// Commands on the members of a project: invite, revoke an invitation, join, change a role, remove.
import type { LogPosition } from '../../domain/envelope.js';
import { Rejection } from '../../domain/errors.js';
import { decideMember, type MemberCommand, invitationUnknownError } from '../../domain/project/decide-member.js';
import type { Role } from '../../domain/project/roles.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { normalizeEmail, userDecider } from '../../domain/user/user.js';
import { emailKeyOf } from '../accounts/auth-context.js';
import type { Deps, Requester } from '../handling/deps.js';
import { load } from '../handling/run-command.js';
import { runProjectCommand } from '../projects/run-project-command.js';
import { endOfInvitation, deleteInvitationToken, issueInvitationToken, claimInvitation } from './invitation-tokens.js';

/** Request to change members. `by` is the requesting user. Rejections are those of `decideMember`. */
type MemberRequest = { readonly projectId: string; readonly by: string };
type WriteResult = { readonly position: LogPosition | null };

/** `token`: returned only here. Times are ISO 8601, UTC. */
export async function inviteMember(
  deps: Deps,
  requester: Requester,
  { projectId, by, email, role }: MemberRequest & { readonly email: string; readonly role: Role },
): Promise<WriteResult & { readonly invitationId: string; readonly token: string; readonly expiresAt: string }> {
  const address = normalizeEmail(email);
  const emailKey = emailKeyOf(deps, address);
  const user = (await load(deps.log, streams.user(emailKey), userDecider)).state;
  const invitationId = deps.runtime.newId('inv');
  const expiresAt = endOfInvitation(deps);
  const invitation = { invitationId, emailKey, email: address, role, expiresAt };
  const at = isoFromMs(deps.runtime.now());
  const command = { kind: 'inviteMember', invitation, userId: user?.userId ?? null, by, at } as const;
  await expectAllowed(deps, projectId, command);
  // Written before the event: a crash in between leaves a token without an invitation, which admits nobody.
  const token = await issueInvitationToken(deps, { projectId, invitationId, endsAt: expiresAt });
  const { position } = await runOnMembers(deps, requester, projectId, command);
  return { invitationId, token, expiresAt, position };
}

/** Removes the token first: a crash in between leaves an invitation that admits nobody. */
export async function withdrawInvitation(
  deps: Deps,
  requester: Requester,
  { projectId, by, invitationId }: MemberRequest & { readonly invitationId: string },
): Promise<WriteResult> {
  const command = { kind: 'withdrawInvitation', invitationId, by } as const;
  await expectAllowed(deps, projectId, command);
  await deleteInvitationToken(deps, { projectId, invitationId });
  return runOnMembers(deps, requester, projectId, command);
}

export function changeRole(
  deps: Deps,
  requester: Requester,
  { projectId, by, userId, role }: MemberRequest & { readonly userId: string; readonly role: Role },
): Promise<WriteResult> {
  return runOnMembers(deps, requester, projectId, { kind: 'changeRole', userId, role, by });
}

export function removeMember(
  deps: Deps,
  requester: Requester,
  { projectId, by, userId }: MemberRequest & { readonly userId: string },
): Promise<WriteResult> {
  return runOnMembers(deps, requester, projectId, { kind: 'removeMember', userId, by });
}

/** Throws the rejection of the command before anything is written for it. */
async function expectAllowed(deps: Deps, projectId: string, command: MemberCommand): Promise<void> {
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
  decideMember(command, project);
}

async function runOnMembers(
  deps: Deps,
  requester: Requester,
  projectId: string,
  command: MemberCommand,
): Promise<WriteResult> {
  const { position } = await runProjectCommand(deps, requester, projectId, command);
  return { position };
}

type JoinedMember<T> = { readonly projectId: string; readonly position: LogPosition | null; readonly created: T };

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
    const created = await make();
    const { position } = await runOnMembers(deps, by, projectId, join());
    await use();
    return { projectId, position, created };
  } catch (err) {
    // Only after a definite refusal: after an unknown outcome the member may have joined.
    if (err instanceof Rejection) await release();
    throw err;
  }
}
