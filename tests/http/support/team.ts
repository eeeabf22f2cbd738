// People of a project: users who join by invitations.
import type { Role } from '../../../src/domain/project/roles.js';
import type { Call, HttpResponse } from './harness.js';

export const PASSWORD = 'correct horse battery';

export type Person = { readonly userId: string; readonly token: string; readonly email: string };

let people = 0;

/** A user of the service. */
export async function newUser(call: Call, extra: object = {}): Promise<Person> {
  const email = `person${++people}@example.com`;
  const { body } = await call('POST', '/auth/register', { email, password: PASSWORD, ...extra });
  return { userId: body.user.id, token: body.accessToken, email };
}

export function invite(call: Call, projectId: string, token: string, role: Role, email = `to${++people}@example.com`) {
  return call('POST', `/v1/projects/${projectId}/members`, { email, role }, { token });
}

export function accept(call: Call, token: string, invitationToken: string): Promise<HttpResponse> {
  return call('POST', '/auth/invitations/accept', { token: invitationToken }, { token });
}

/** A new user who is a member of the project. */
export async function newMember(call: Call, projectId: string, owner: string, role: Role): Promise<Person> {
  const { body } = await invite(call, projectId, owner, role);
  return newUser(call, { invitationToken: body.token });
}
