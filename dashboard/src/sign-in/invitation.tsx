// Accepts an invitation from its link. The token is after the `#`, which browsers never send to a server.
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { navigate, path } from '../context/router';
import { Form } from '../parts/form';
import { Link } from '../parts/link';
import type { User } from '../session/session';

export const INVITATION = '/invitation';

/** Returns the token of an invitation link; undefined for any other URL. */
export function invitationToken(): string | undefined {
  const token = window.location.hash.slice(1);
  return path.value === INVITATION && token !== '' ? token : undefined;
}

/** Page for a logged-in user; the email of the invitation does not have to match. */
export function Invitation({ user }: { readonly user: User }) {
  const token = invitationToken();
  if (token === undefined) {
    return (
      <section class="card narrow" aria-labelledby="invitation">
        <h1 id="invitation">Invitation</h1>
        <p>The invitation link is incomplete. Open the full address that you received.</p>
        <Link to="/projects">Your projects</Link>
      </section>
    );
  }
  const accept = async () => {
    const project = await unwrap(api.POST('/auth/invitations/accept', { body: { token } }));
    invalidate();
    navigate(`/projects/${project.id}`, { replaces: true });
  };
  return (
    <section class="card narrow" aria-labelledby="invitation">
      <h1 id="invitation">Invitation</h1>
      <p>You are invited to a project. You will join as {user.email}.</p>
      <Form label="Join the project" submit={accept}>
        {null}
      </Form>
    </section>
  );
}
