// Events of the members of a project. The token of an invitation is a record, and emails are never in plain text in these events.
import { z } from 'zod';
import type { ProjectConcern } from '../concerns.js';
import { defineEvent, type EventTable } from '../events.js';
import { streams } from '../streams.js';
import { instant } from '../subscriber/events/blocks.js';
import { roles } from './roles.js';

const role = z.enum(roles);

export const memberEvents = {
  /** `emailKey`: a keyed hash that names the stream of the user with that email. The data key of that user also seals the email here. */
  MemberInvited: defineEvent(
    'MemberInvited',
    { invitationId: z.string(), emailKey: z.string(), email: z.string().nullable(), role, expiresAt: instant },
    { sealed: ['email'], sealedFor: ({ emailKey }) => streams.user(emailKey) },
  ).touching('project'),
  InvitationWithdrawn: defineEvent('InvitationWithdrawn', { invitationId: z.string() }).touching('project'),
  /** A member joined by invitation. The creator of the project is its first owner, without an event. */
  MemberJoined: defineEvent('MemberJoined', { userId: z.string(), role, invitationId: z.string() }).touching('project'),
  MemberRoleChanged: defineEvent('MemberRoleChanged', { userId: z.string(), from: role, to: role }).touching('project'),
  MemberRemoved: defineEvent('MemberRemoved', { userId: z.string(), role }).touching('project'),
} satisfies EventTable<ProjectConcern>;
export type MemberEventName = keyof typeof memberEvents;
