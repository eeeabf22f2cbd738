// The user's own account: name, password, second factor, open sessions and history. It belongs to no project.
import { api, unwrap, unwrapAll } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { Confirm } from '../parts/confirm';
import { Field, Form } from '../parts/form';
import { NewPasswordField } from '../parts/new-password-field';
import { text } from '../parts/form-dialog';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { changePassword, session, updateUser } from '../session/session';
import { CodeField } from '../sign-in/code-field';
import { AccountHistory } from './account-history';
import { SecondFactor, useSecondFactor } from './second-factor';

export default function AccountPage() {
  return (
    <>
      <h1>Your account</h1>
      <Name />
      <Password />
      <SecondFactor />
      <Sessions />
      <AccountHistory />
    </>
  );
}

function Name() {
  const user = 'user' in session.value ? session.value.user : null;
  const rename = async (data: FormData) => {
    const name = text(data, 'name');
    updateUser(await unwrap(api.PATCH('/auth/me', { body: { name: name === '' ? null : name } })));
    invalidate();
    toast('Name saved.');
  };
  return (
    <section class="card" aria-labelledby="name-title">
      <h2 id="name-title">Name</h2>
      <p>{user?.email}</p>
      <Form label="Save name" submit={rename} isPlain>
        <Field label="Name" name="name" autocomplete="name" maxLength={100} defaultValue={user?.name ?? ''} />
      </Form>
    </section>
  );
}

function Password() {
  const hasCode = useSecondFactor().data?.enabled ?? false;
  const change = async (data: FormData) => {
    const code = text(data, 'code');
    const refused = await changePassword({
      password: String(data.get('password')),
      newPassword: String(data.get('newPassword')),
      ...(code !== '' && { code }),
    });
    if (refused !== null) return refused;
    invalidate();
    toast('Password changed. All other sessions have ended.');
    return null;
  };
  return (
    <section class="card" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <p class="hint">
        A new password ends all other sessions. Lost it? The operator of this server can set a new one.
      </p>
      <Form label="Change password" submit={change} isPlain>
        <Field label="Current password" name="password" type="password" autocomplete="current-password" required />
        {hasCode && <CodeField />}
        <NewPasswordField label="New password" name="newPassword" />
      </Form>
    </section>
  );
}

function Sessions() {
  const read = useQuery('own-sessions', (signal) =>
    unwrapAll((query) => api.GET('/auth/sessions', { params: { query }, signal })),
  );
  const end = (sessionId: string) =>
    unwrap(api.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId } } }));
  return (
    <section class="card" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <QueryView of={read} what="your sessions">
        {({ items }) => (
          <>
            <ul class="plain entries">
              {items.map(({ id, isCurrent, openedAt, lastUsedAt }) => (
                <li key={id} class="row">
                  {isCurrent && <span class="badge">this one</span>}
                  <span>
                    Logged in <Time at={openedAt} />, last used <Time at={lastUsedAt} isAgo />
                  </span>
                  {!isCurrent && (
                    <Confirm
                      label="End"
                      title="End this session"
                      run={() => end(id)}
                      done="The session has ended."
                      breaks="Whoever uses it must log in again."
                    />
                  )}
                </li>
              ))}
            </ul>
            {items.length > 1 && (
              <Confirm
                label="End all others"
                title="End all other sessions"
                run={() => unwrap(api.DELETE('/auth/sessions'))}
                done="All other sessions have ended."
                breaks="You stay logged in here. Everywhere else you must log in again."
              />
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}
