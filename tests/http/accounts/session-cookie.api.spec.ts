// The session of a page: its refresh token in a cookie, for pages of the same origin, until it logs out.
import { expect } from 'chai';
import type { HttpResponse } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

const password = 'correct horse battery';

describe('a session in a cookie', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({}, clock.runtime);
  let users = 0;

  const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
    harness.call('POST', `/auth/${path}`, body, { headers });
  const me = (token: string) => harness.call('GET', '/auth/me', undefined, { token });
  const origin = () => harness.service().url ?? '';
  const cookieOf = ({ headers }: HttpResponse) => headers.get('set-cookie') ?? '';
  const sent = (response: HttpResponse) => cookieOf(response).split(';')[0] ?? '';
  const fromPage = (cookie: string) => ({ cookie, origin: origin() });
  const open = async () => {
    const response = await post('register', { email: `page${++users}@example.com`, password, session: 'cookie' });
    return { response, cookie: sent(response) };
  };

  it('is opened by registering, with no refresh token in the body', async () => {
    const { response } = await open();
    expect(response.status).to.equal(201);
    expect(response.body).to.have.all.keys('user', 'accessToken', 'tokenType', 'expiresIn');
    expect(cookieOf(response)).to.match(
      /^subledger_session=rt_[\w-]{43}; Path=\/auth; Expires=Sun, 20 Dec 2026 10:00:00 GMT; HttpOnly; SameSite=Strict$/,
    );
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });

  it('is opened by logging in', async () => {
    await post('register', { email: 'login@example.com', password });
    const response = await post('login', { email: 'login@example.com', password, session: 'cookie' });
    expect(response.body).not.to.have.property('refreshToken');
    expect(sent(response)).to.match(/^subledger_session=rt_/);
  });

  it('is refreshed with an empty body, and the cookie replaced', async () => {
    const { cookie } = await open();
    const response = await post('refresh', undefined, fromPage(cookie));
    expect(response.status).to.equal(200);
    expect(response.body).to.have.all.keys('accessToken', 'tokenType', 'expiresIn');
    expect(sent(response))
      .to.match(/^subledger_session=rt_/)
      .and.not.equal(cookie);
    expect((await me(response.body.accessToken)).status).to.equal(200);
    expect((await post('refresh', undefined, fromPage(`other=1; ${sent(response)}`))).status).to.equal(200);
  });

  it('is refused to pages of other origins, and to who names none', async () => {
    const { cookie } = await open();
    for (const headers of [{ cookie }, { cookie, origin: 'https://evil.example' }, { cookie, origin: 'null' }]) {
      expectRefusal(await post('refresh', undefined, headers), 403);
      expectRefusal(await post('logout', undefined, headers), 403);
    }
  });

  it('gives way to a refresh token that is sent', async () => {
    const { cookie } = await open();
    const { body } = await post('register', { email: 'app@example.com', password });
    const response = await post('refresh', { refreshToken: body.refreshToken }, { cookie });
    expect(response.body.refreshToken).to.match(/^rt_/);
    expect(response.headers.get('set-cookie')).to.equal(null);
  });

  it('is not kept under an idempotency key', async () => {
    const body = { email: 'twice@example.com', password, session: 'cookie' };
    expectRefusal(await post('register', body, { 'idempotency-key': 'k' }), 400);
  });

  it('ends with a log-out, with its access tokens', async () => {
    const { response, cookie } = await open();
    const out = await post('logout', undefined, fromPage(cookie));
    expect(out.body).to.include({ object: 'session', deleted: true });
    expect(out.body.id).to.match(/^ses_/);
    expect(cookieOf(out)).to.equal(
      'subledger_session=; Path=/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    );
    expectRefusal(await me(response.body.accessToken), 401);
    expectRefusal(await post('refresh', undefined, fromPage(cookie)), 401);
    const again = await post('logout', undefined, fromPage(cookie));
    expect([again.status, again.body.id]).to.deep.equal([200, null]);
  });

  it('ends and continues also when the page sends its access token in addition', async () => {
    const { response, cookie } = await open();
    const withAccess = (of: string, accessToken: string) => ({
      ...fromPage(of),
      authorization: `Bearer ${accessToken}`,
    });
    const next = await post('refresh', undefined, withAccess(cookie, response.body.accessToken));
    expect(next.status).to.equal(200);
    const { accessToken } = next.body;
    expectRefusal(await post('logout', undefined, { cookie, authorization: `Bearer ${accessToken}` }), 403);
    const out = await post('logout', undefined, withAccess(sent(next), accessToken));
    expect(out.body.id).to.match(/^ses_/);
    expectRefusal(await me(accessToken), 401);
  });

  it('of a program ends too, by any of its refresh tokens, and no other session does', async () => {
    const { body: first } = await post('register', { email: 'two@example.com', password });
    const { body: other } = await post('login', { email: 'two@example.com', password });
    const { body: next } = await post('refresh', { refreshToken: first.refreshToken });
    expect((await post('logout', { refreshToken: first.refreshToken })).status).to.equal(200);
    expectRefusal(await post('refresh', { refreshToken: next.refreshToken }), 401);
    expect((await me(other.accessToken)).status).to.equal(200);
  });

  it('needs a token to end', async () => expectRefusal(await post('logout'), 401));
});

describe('a session in a cookie, where the service is reached over TLS', () => {
  const harness = setUpHarness({ PUBLIC_URL: 'https://subledger.example.com' });

  it('goes over TLS only, and knows the public address', async () => {
    const body = { email: 'tls@example.com', password, session: 'cookie' };
    const { headers } = await harness.call('POST', '/auth/register', body);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).to.match(/; Secure$/);
    const page = { cookie: cookie.split(';')[0] ?? '', origin: 'https://subledger.example.com' };
    expect((await harness.call('POST', '/auth/refresh', undefined, { headers: page })).status).to.equal(200);
  });
});
