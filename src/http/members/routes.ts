// Members of a project: list, invite, accept an invitation, change roles, remove.
import { z } from 'zod';
import { role, project } from '../accounts/responses.js';
import { time, deletionOf, type BodyOf } from '../bodies/response-schemas.js';
import {
  changeRole,
  inviteMember,
  removeMember,
  withdrawInvitation,
  joinByInvitation,
} from '../../commands/members/members.js';
import { isoFromMs } from '../../domain/time.js';
import {
  projects,
  type OpenInvitation,
  type ProjectDoc,
  type ProjectMember,
  membershipId,
  type MembershipDoc,
} from '../../projections/models/projects.js';
import { users } from '../../projections/models/users.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { emailAddress, id, page, invitationToken } from '../bodies/request-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { pageAfter } from '../bodies/paging.js';
import type { Caller, Scope } from '../dispatch/caller.js';
import { defineListRoute, defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { presentProject } from '../projects/present-resources.js';

const member = z
  .strictObject({
    object: z.literal('member'),
    id: z.string().meta({ description: 'ID of the user.' }),
    email: z.string().nullable().meta({ description: 'Null if the user was erased.' }),
    name: z.string().nullable(),
    role,
    joinedAt: time,
    lastLoginAt: time.nullable().meta({ description: 'Last login with a password. Null if there was none.' }),
    hasSecondFactor: z.boolean().meta({ description: 'Logins of this user need a code.' }),
  })
  .meta({ id: 'Member' });

const invitationFields = {
  object: z.literal('invitation'),
  id: z.string(),
  email: z.string().nullable().meta({ description: 'Null if the user was erased.' }),
  role,
  invitedAt: time,
  expiresAt: time,
};
const invitation = z.strictObject(invitationFields).meta({ id: 'Invitation' });

const newInvitation = z
  .strictObject({
    ...invitationFields,
    token: z.string().meta({ description: 'One-time invitation token. Shown only in this response.' }),
    inviteUrl: z
      .string()
      .meta({ description: 'Invitation link of the dashboard, if it is served. The token is in the fragment.' }),
  })
  .meta({ id: 'NewInvitation' });

const path = '/v1/projects/:id/members';
const memberParams = z.object({ id, userId: id });

/** Returns the acting user. Keys were refused before. */
function actingUserOf(scope: Scope, caller: Caller) {
  if (caller.kind !== 'user') throw new HttpError(403, 'not allowed with an API key; log in as a user');
  return { projectId: scope.projectId, by: caller.userId };
}

async function requireProject(readModels: ReadModels, projectId: string): Promise<ProjectDoc> {
  const project = await readModels.get(projects, projectId);
  if (!project) throw new HttpError(404, 'project not found');
  return project;
}

async function presentMembers(
  readModels: ReadModels,
  members: readonly ProjectMember[],
): Promise<readonly BodyOf<typeof member>[]> {
  const found = await readModels.getMany(
    users,
    members.map((m) => m.userId),
  );
  return members.map(({ userId, role: has, joinedAt }) => {
    const { email = null, name = null, lastLoginAt = null, hasSecondFactor = false } = found.get(userId) ?? {};
    return { object: 'member', id: userId, email, name, role: has, joinedAt, lastLoginAt, hasSecondFactor };
  });
}

function presentInvitation({
  invitationId,
  email,
  role: invitedRole,
  invitedAt,
  expiresAt,
}: OpenInvitation): BodyOf<typeof invitation> {
  return { object: 'invitation', id: invitationId, email, role: invitedRole, invitedAt, expiresAt };
}

/** Refuses to repeat the response with a token that is no longer valid. */
async function expectInvitationOpen(
  stored: object,
  { projectId }: Scope,
  { readModels, runtime }: Services,
): Promise<void> {
  const { invitations } = await requireProject(readModels, projectId);
  const now = isoFromMs(runtime.now());
  if (invitations.some((i) => 'id' in stored && i.invitationId === stored.id && i.expiresAt > now)) return;
  throw new HttpError(
    409,
    'the invitation that this request created has ended; send a new Idempotency-Key for another',
  );
}

export const memberRoutes: readonly Route[] = [
  defineListRoute({
    path,
    permission: 'readMembers',
    summary: 'List members, and open invitations for callers who may invite',
    query: page,
    item: z.union([member, invitation]),
    list: async ({ scope, query, visibility }, { readModels, runtime }) => {
      const project = await requireProject(readModels, scope.projectId);
      const now = isoFromMs(runtime.now());
      const open = visibility.secret ? project.invitations.filter((i) => i.expiresAt > now) : [];
      const members = await presentMembers(readModels, project.members);
      const all = [...members.toReversed(), ...open.map(presentInvitation).toReversed()];
      return pageAfter(all, query);
    },
  }),
  defineRoute({
    method: 'post',
    path,
    access: 'projectUser',
    permission: 'administer',
    summary: 'Invite member',
    description:
      'Admins can invite with roles below admin. No email is sent: share `inviteUrl` or `token`, which works once within seven days, for any account.',
    example: { email: 'grace@example.com', role: 'support' },
    body: z.strictObject({ email: emailAddress, role }),
    response: newInvitation,
    statuses: [201],
    onRepeat: expectInvitationOpen,
    handle: async ({ scope, caller, body, by }, { deps, runtime, publicUrl }) => {
      const invited = await inviteMember(deps, by, { ...actingUserOf(scope, caller), ...body });
      const { invitationId, token, expiresAt, position } = invited;
      const doc = { invitationId, emailKey: '', ...body, expiresAt, invitedAt: isoFromMs(runtime.now()) };
      const inviteUrl = `${publicUrl()}/dashboard/invitation#${token}`;
      const created = { ...presentInvitation(doc), token, inviteUrl };
      return { body: created, after: readModelsAt(position, projects), isSecret: true };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${path}/invitations/:invitationId`,
    access: 'projectUser',
    permission: 'administer',
    summary: 'Revoke invitation',
    params: z.object({ id, invitationId: id }),
    response: deletionOf('invitation'),
    handle: async ({ scope, caller, params: { invitationId }, by }, { deps }) => {
      const { position } = await withdrawInvitation(deps, by, { ...actingUserOf(scope, caller), invitationId });
      return {
        body: { object: 'invitation', id: invitationId, deleted: true },
        after: readModelsAt(position, projects),
      };
    },
  }),
  defineRoute({
    method: 'patch',
    path: `${path}/:userId`,
    access: 'projectUser',
    permission: 'administer',
    summary: 'Change role of a member',
    description:
      'You cannot raise your own role. The last owner cannot be demoted. Admins can assign roles below admin.',
    example: { role: 'analyst' },
    params: memberParams,
    body: z.strictObject({ role }),
    response: member,
    handle: async ({ scope, caller, params: { userId }, body, by }, { deps, readModels }) => {
      const { position } = await changeRole(deps, by, { ...actingUserOf(scope, caller), userId, ...body });
      const present = async () => {
        const { members } = await requireProject(readModels, scope.projectId);
        const [found] = await presentMembers(
          readModels,
          members.filter((m) => m.userId === userId),
        );
        if (!found) throw new HttpError(404, 'member not found in this project');
        return found;
      };
      return { body: present, after: readModelsAt(position, projects) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${path}/:userId`,
    access: 'projectUser',
    permission: 'removeMember',
    summary: 'Remove member',
    description:
      'Access ends immediately. Every member can leave except the last owner; admins can remove roles below admin. API keys that the member created stay valid.',
    params: memberParams,
    response: deletionOf('member'),
    handle: async ({ scope, caller, params: { userId }, by }, { deps }) => {
      const { position } = await removeMember(deps, by, { ...actingUserOf(scope, caller), userId });
      return { body: { object: 'member', id: userId, deleted: true }, after: readModelsAt(position, projects) };
    },
  }),
];

export const acceptRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/auth/invitations/accept',
    access: 'user',
    summary: 'Accept invitation',
    description: 'Accepts the invitation and returns the project. The token works once, for any account.',
    example: { token: 'inv_…' },
    body: z.strictObject({ token: invitationToken }),
    bodyLimit: 'small',
    response: project,
    handle: async ({ caller, body: { token }, by }, { auth, deps, readModels, demo }) => {
      const user = caller.kind === 'user' ? await auth.findUser(caller.userId) : null;
      if (user?.email == null) throw new HttpError(401, 'the user of this token was deleted; log in again');
      const { userId } = user;
      const { projectId, position } = await joinByInvitation(deps, by, { token, userId }, () => Promise.resolve());
      const present = async () => {
        const id = membershipId(projectId, userId);
        const [doc, membership] = await Promise.all([
          readModels.get(projects, projectId),
          readModels.getDerived<MembershipDoc>(projects, 'memberships', id),
        ]);
        if (!doc || !membership)
          throw new HttpError(503, 'you have joined the project, but it is not readable yet; retry in 1 second', 1);
        return presentProject(doc, membership.role, demo);
      };
      return { body: present, after: readModelsAt(position, projects) };
    },
  }),
];
