// Acceptance of an invitation by a logged-in user. Users without an account register with the token instead.
import { z } from 'zod';
import { joinByInvitation } from '../../commands/members/join.js';
import { membershipId, projects, type MembershipDoc } from '../../projections/models/projects.js';
import { project } from '../accounts/responses.js';
import { invitationToken } from '../bodies/request-schemas.js';
import { HttpError } from '../bodies/errors.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { presentProject } from '../projects/present-resources.js';

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
