// The rules of members: which roles may invite, change and remove members. A project always has an owner, and nobody raises their own role.
import { Rejection } from '../errors.js';
import { projectEvents as e, type ProjectData, type ProjectEvent } from './events.js';
import { assignersOf, mayAssign, type Role } from './roles.js';
import type { Member, Project } from './state.js';

/** `by`: the requesting user. `at`: the current time, ISO 8601 UTC. */
export type MemberCommand =
  | {
      readonly kind: 'inviteMember';
      readonly invitation: ProjectData<'MemberInvited'>;
      /** The user with the email; null if there is none. */
      readonly userId: string | null;
      readonly by: string;
      readonly at: string;
    }
  | { readonly kind: 'withdrawInvitation'; readonly invitationId: string; readonly by: string }
  | { readonly kind: 'join'; readonly invitationId: string; readonly userId: string; readonly at: string }
  | { readonly kind: 'changeRole'; readonly userId: string; readonly role: Role; readonly by: string }
  | { readonly kind: 'removeMember'; readonly userId: string; readonly by: string };

const MAX_MEMBERS = 500;

export function decideMember(c: MemberCommand, state: Project): ProjectEvent[] {
  switch (c.kind) {
    case 'inviteMember':
      return invite(c, state);
    case 'withdrawInvitation': {
      const found = state.invitations.find((i) => i.invitationId === c.invitationId);
      if (!found) throw new Rejection('missing', 'invitation-unknown', 'open invitation not found in this project');
      requireAssigner(roleOf(state, c.by), found.role);
      return [e.InvitationWithdrawn.of({ invitationId: c.invitationId })];
    }
    case 'join':
      return join(c, state);
    case 'changeRole':
      return changeRole(c, state);
    case 'removeMember':
      return removeMember(c, state);
  }
}

export function invitationUnknownError(): Rejection {
  const message = 'the invitation is unknown, used, expired or revoked; ask for a new one';
  return new Rejection('missing', 'invitation-unknown', message);
}

function invite(c: Extract<MemberCommand, { kind: 'inviteMember' }>, state: Project): ProjectEvent[] {
  const { invitationId, emailKey, role } = c.invitation;
  if (state.invitations.some((i) => i.invitationId === invitationId)) return [];
  requireAssigner(roleOf(state, c.by), role);
  if (c.userId !== null && isMember(state, c.userId))
    throw new Rejection('conflict', 'already-member', 'this person is already a member; change the role instead');
  const open = state.invitations.filter((i) => i.expiresAt > c.at);
  if (open.some((i) => i.emailKey === emailKey))
    throw new Rejection('conflict', 'already-invited', 'there is an open invitation for this email; revoke it first');
  if (state.members.length + open.length >= MAX_MEMBERS)
    throw new Rejection(
      'conflict',
      'too-many-members',
      `a project can have at most ${MAX_MEMBERS} members and invitations`,
    );
  return [e.MemberInvited.of(c.invitation)];
}

/** A repeat of the same join appends nothing. */
function join(c: Extract<MemberCommand, { kind: 'join' }>, state: Project): ProjectEvent[] {
  const { invitationId, userId } = c;
  if (state.members.some((m) => m.userId === userId && m.invitationId === invitationId)) return [];
  const found = state.invitations.find((i) => i.invitationId === invitationId);
  if (!found || found.expiresAt <= c.at) throw invitationUnknownError();
  if (isMember(state, userId)) throw new Rejection('conflict', 'already-member', 'you are a member of this project');
  return [e.MemberJoined.of({ userId, role: found.role, invitationId })];
}

function changeRole(c: Extract<MemberCommand, { kind: 'changeRole' }>, state: Project): ProjectEvent[] {
  const { userId, role: to, by } = c;
  const { role: from } = requireMember(state, userId);
  const own = roleOf(state, by);
  requireAssigner(own, from);
  requireAssigner(own, to);
  if (from === to) return [];
  if (from === 'owner') expectAnotherOwner(state, userId);
  return [e.MemberRoleChanged.of({ userId, from, to })];
}

function removeMember(
  { userId, by }: Extract<MemberCommand, { kind: 'removeMember' }>,
  state: Project,
): ProjectEvent[] {
  const own = roleOf(state, by);
  const { role } = requireMember(state, userId);
  if (userId !== by) requireAssigner(own, role);
  if (role === 'owner') expectAnotherOwner(state, userId);
  return [e.MemberRemoved.of({ userId, role })];
}

function isMember({ members }: Project, userId: string): boolean {
  return members.some((m) => m.userId === userId);
}

function requireMember({ members }: Project, userId: string): Member {
  const found = members.find((m) => m.userId === userId);
  if (!found) throw new Rejection('missing', 'member-unknown', 'member not found in this project');
  return found;
}

/** The requesting user may have been removed a moment ago; then the project is not found. */
function roleOf({ members }: Project, userId: string): Role {
  const found = members.find((m) => m.userId === userId);
  if (!found) throw new Rejection('missing', 'project-unknown', 'project not found');
  return found.role;
}

function requireAssigner(own: Role, role: Role): void {
  if (mayAssign(own, role)) return;
  const message = `your role (${own}) cannot assign, change or remove the role ${role}; allowed for: ${assignersOf(role).join(', ')}`;
  throw new Rejection('forbidden', 'role-too-low', message);
}

function expectAnotherOwner({ members }: Project, userId: string): void {
  if (members.some((m) => m.role === 'owner' && m.userId !== userId)) return;
  throw new Rejection('conflict', 'last-owner', 'a project must have an owner; make another member an owner first');
}
