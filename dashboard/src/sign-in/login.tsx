// Login and registration. The form is also shown over a page whose session has ended, so that its input is preserved.
import { useState } from 'preact/hooks';
import { Brand } from '../context/brand';
import { navigate } from '../context/router';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { NewPasswordField } from '../parts/new-password-field';
import { CodeField, needsSecondFactor, rememberSecondFactor } from './code-field';
import { invitationToken } from './invitation';
import { logIn, logOut, register, type User } from '../session/session';

export function Welcome() {
  const token = invitationToken();
  const [isNew, setNew] = useState(token !== undefined);
  return (
    <main id="main" class="welcome">
      <p class="brand">
        <Brand />
      </p>
      <h1>{isNew ? 'Create your account' : 'Log in'}</h1>
      <p class="hint">Self-hosted in-app subscriptions</p>
      {token !== undefined && <p>You are invited to a project. {isNew ? 'Register' : 'Log in'} to join it.</p>}
      {isNew ? <Register invitationToken={token} /> : <LogIn />}
      <p>
        {isNew ? 'Already registered? ' : 'First time here? '}
        <button type="button" class="as-link" onClick={() => setNew(!isNew)}>
          {isNew ? 'Log in' : 'Register'}
        </button>
      </p>
    </main>
  );
}

function LogIn({ email }: { readonly email?: string }) {
  const [usesCode, setUsesCode] = useState(needsSecondFactor());
  const submit = async (data: FormData) => {
    const code = text(data, 'code');
    const refused = await logIn(text(data, 'email'), text(data, 'password'), code);
    if (refused === null && code !== '') rememberSecondFactor(true);
    return refused;
  };
  return (
    <>
      <Form label="Log in" submit={submit}>
        <Field label="Email" name="email" type="email" autocomplete="username" required defaultValue={email ?? ''} />
        <Field label="Password" name="password" type="password" autocomplete="current-password" required />
        {usesCode && <CodeField />}
      </Form>
      <p>
        <button type="button" class="as-link" onClick={() => setUsesCode(!usesCode)}>
          {usesCode ? 'I have no second factor' : 'I use a second factor'}
        </button>
      </p>
    </>
  );
}

function Register({ invitationToken }: { readonly invitationToken: string | undefined }) {
  const submit = async (data: FormData) => {
    const name = text(data, 'name');
    const refused = await register({
      email: text(data, 'email'),
      password: text(data, 'password'),
      ...(name !== '' && { name }),
      ...(invitationToken !== undefined && { invitationToken }),
    });
    // The registration has used the token.
    if (refused === null && invitationToken !== undefined) navigate('/', { replaces: true });
    return refused;
  };
  return (
    <Form label="Register" submit={submit}>
      <Field label="Name (optional)" name="name" autocomplete="name" />
      <Field label="Email" name="email" type="email" autocomplete="username" required />
      <NewPasswordField label="Password" name="password" />
    </Form>
  );
}

export function SessionEnded({ user }: { readonly user: User }) {
  return (
    <Dialog title="Log in again" onClose={() => undefined} canClose={false}>
      <p>Your session has expired. What you typed is still there.</p>
      <LogIn email={user.email} />
      <p>
        <button type="button" class="as-link" onClick={() => void logOut()}>
          Leave as {user.email}
        </button>
      </p>
    </Dialog>
  );
}

function text(data: FormData, name: string): string {
  return String(data.get(name) ?? '');
}
