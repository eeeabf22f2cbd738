// Members of the project with their roles, and open invitations.
import { api, unwrap, unwrapAll, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject, type Role } from '../context/project';
import { navigate } from '../context/router';
import { Confirm } from '../parts/confirm';
import { Form } from '../parts/form';
import { Menu } from '../parts/menu';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { session } from '../session/session';
import { Invite } from './invite';
import { assignableRoles } from './roles';

type Member = Schemas['Member'];
type Invitation = Schemas['Invitation'];

export default function MembersPage() {
  const { project, may } = useProject();
  const read = useQuery(`members|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/members', { params: { path: { id: project.id }, query }, signal })),
  );
  return (
    <>
      <div class="head">
        <h1>Members</h1>
        {may('administer') && <Invite />}
      </div>
      <QueryView of={read} what="the members">
        {({ items }) => (
          <>
            <Members members={items.filter((one) => one.object === 'member')} />
            {may('administer') && <Invitations invitations={items.filter((one) => one.object === 'invitation')} />}
          </>
        )}
      </QueryView>
    </>
  );
}

function Members({ members }: { readonly members: readonly Member[] }) {
  return (
    <div class="scroll">
      <table>
        <caption>{members.length === 1 ? 'Only you so far' : `${members.length} members`}</caption>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Role</th>
            <th scope="col">Joined</th>
            <th scope="col">Last sign-in</th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <Row key={member.id} member={member} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  member: { id, email, name, role, joinedAt, lastLoginAt, hasSecondFactor },
}: {
  readonly member: Member;
}) {
  const { project } = useProject();
  const isMe = 'user' in session.value && session.value.user.id === id;
  const roles = assignableRoles(project.role);
  const who = name ?? email ?? id;
  const choice = { id, who, role, roles, isMe };
  const params = { path: { id: project.id, userId: id } };
  const remove = async () => {
    await unwrap(api.DELETE('/v1/projects/{id}/members/{userId}', { params }));
    if (isMe) navigate('/');
  };
  return (
    <tr>
      <th scope="row">
        {who} {isMe && <span class="badge">you</span>}
        {name !== null && email !== null && (
          <>
            <br />
            <small>{email}</small>
          </>
        )}
      </th>
      <td>{roles.includes(role) && !isMe ? <RoleChoice {...choice} /> : role}</td>
      <td>
        <Time at={joinedAt} />
      </td>
      <td>
        {lastLoginAt === null ? 'never' : <Time at={lastLoginAt} isAgo />}
        {hasSecondFactor && (
          <>
            {' '}
            <span class="badge">second factor</span>
          </>
        )}
      </td>
      <td class="number">
        {(isMe || roles.includes(role)) && (
          <Menu label={`Actions for ${who}`}>
            {isMe && roles.includes(role) && <RoleChoice {...choice} />}
            <Confirm
              label={isMe ? 'Leave' : 'Remove'}
              title={isMe ? `Leave ${project.name}` : `Remove ${who}`}
              run={remove}
              done={isMe ? 'You left the project.' : `${who} is no longer a member.`}
              breaks={
                isMe
                  ? 'You lose access immediately. You can return only with a new invitation.'
                  : `${who} loses access immediately. API keys that they created stay valid.`
              }
            />
          </Menu>
        )}
      </td>
    </tr>
  );
}

function RoleChoice({
  id,
  who,
  role,
  roles,
  isMe,
}: {
  readonly id: string;
  readonly who: string;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly isMe: boolean;
}) {
  const { project } = useProject();
  const change = async (data: FormData) => {
    const params = { path: { id: project.id, userId: id } };
    const body = { role: data.get('role') as Role };
    await unwrap(api.PATCH('/v1/projects/{id}/members/{userId}', { params, body }));
    invalidate();
    toast(`${who} is ${body.role} now.`);
  };
  const choice = (
    <select name="role" aria-label={`Role of ${who}`} value={role}>
      {roles.map((one) => (
        <option key={one} value={one} selected={one === role}>
          {one}
        </option>
      ))}
    </select>
  );
  if (isMe) {
    return (
      <Confirm
        label="Change your role"
        action="Change"
        run={change}
        breaks="You cannot raise your own role again. Another member must do it."
      >
        {choice}
      </Confirm>
    );
  }
  return (
    <Form label="Change" submit={change} isPlain class="row">
      {choice}
    </Form>
  );
}

function Invitations({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const { project } = useProject();
  const withdraw = async (invitationId: string) => {
    const params = { path: { id: project.id, invitationId } };
    await unwrap(api.DELETE('/v1/projects/{id}/members/invitations/{invitationId}', { params }));
  };
  return (
    <section class="card" aria-labelledby="invitations-title">
      <h2 id="invitations-title">Open invitations</h2>
      {invitations.length === 0 ? (
        <p>No open invitations. Invite a person above and share the link that appears.</p>
      ) : (
        <ul class="plain entries">
          {invitations.map(({ id, email, role, expiresAt }) => (
            <li key={id} class="row">
              <strong>{email}</strong> <span class="badge">{role}</span>
              <small>
                until <Time at={expiresAt} />
              </small>
              <Confirm
                label="Withdraw"
                title={`Revoke the invitation of ${email}`}
                run={() => withdraw(id)}
                done="Invitation revoked."
                breaks={`The address that was handed to ${email} stops working. A new invitation has another address.`}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
