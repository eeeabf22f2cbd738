// Responses about members and invitations of a project.
import { z } from 'zod';
import { role } from '../accounts/responses.js';
import { time } from '../bodies/response-schemas.js';

export const member = z
  .strictObject({
    object: z.literal('member'),
    id: z.string().meta({ description: 'ID of the user.' }),
    email: z.string().nullable().meta({ description: 'Null if the user was erased.' }),
    name: z.string().nullable(),
    role,
    joinedAt: time,
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
export const invitation = z.strictObject(invitationFields).meta({ id: 'Invitation' });

export const newInvitation = z
  .strictObject({
    ...invitationFields,
    token: z.string().meta({ description: 'One-time invitation token. Shown only in this response.' }),
    inviteUrl: z
      .string()
      .meta({ description: 'Invitation link of the dashboard, if it is served. The token is in the fragment.' }),
  })
  .meta({ id: 'NewInvitation' });
