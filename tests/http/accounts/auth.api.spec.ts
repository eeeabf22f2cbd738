// Registering, logging in, refreshing, and who one is.
import { expect } from 'chai';
import { startHarness } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

const PASSWORD = 'correct horse battery';
const TOKENS = ['accessToken', 'refreshToken', 'tokenType', 'expiresIn'];

describe('/auth', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({}, clock.runtime);

  const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
    harness.call('POST', `/auth/${path}`, body, { headers });
  const register = (email: string) => post('register', { email, password: PASSWORD });
  const me = (token: string) => harness.call('GET', '/auth/me', undefined, { token });

  it('registers a user and logs in', async () => {
    const credentials = { email: ' Ann@Example.COM ', password: PASSWORD, name: 'Ann' };
    const { status, body, headers } = await post('register', credentials);
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('user', ...TOKENS);
    expect(body).to.include({ tokenType: 'Bearer', expiresIn: 3600 });
    const { id, ...user } = body.user;
    expect(id).to.match(/^usr_[0-9a-z]{26}$/);
    const createdAt = new Date(clock.now()).toISOString();
    expect(user).to.deep.equal({ object: 'user', email: 'ann@example.com', name: 'Ann', createdAt });
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('reserves an email for its first user, case-insensitively', async () => {
    await register('once@example.com');
    expectRefusal(await register('ONCE@example.com'), 409);
  });

  it('logs in with the right password', async () => {
    const { body: registered } = await register('ben@example.com');
    const { status, body } = await post('login', { email: 'BEN@example.com', password: PASSWORD });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('user', ...TOKENS);
    expect(body.user).to.deep.equal(registered.user);
  });

  it('answers a wrong password and an unknown email alike', async () => {
    await register('cid@example.com');
    const wrong = await post('login', { email: 'cid@example.com', password: 'another password' });
    const unknown = await post('login', { email: 'nobody@example.com', password: PASSWORD });
    expectRefusal(wrong, 401);
    expect(unknown.body).to.deep.equal(wrong.body);
  });

  for (const [what, password] of [
    ['of nine characters', 'ninechars'],
    ['of 73 bytes', 'é'.repeat(36) + 'e'],
    ['that everybody guesses', 'password1234'],
    ['that repeats itself', 'abcabcabcabc'],
  ] as const) {
    it(`refuses a password ${what}`, async () =>
      expectRefusal(await post('register', { email: 'weak@example.com', password }), 400));
  }

  it('shows the user and the projects of the user', async () => {
    const { body: registered } = await register('dan@example.com');
    const token = registered.accessToken;
    const project = await harness.call('POST', '/v1/projects', { name: 'Dan’s' }, { token });
    const { status, body } = await me(token);
    expect(status).to.equal(200);
    const projects = [{ id: project.body.id, name: 'Dan’s', role: 'owner' }];
    expect(body).to.deep.equal({ ...registered.user, projects });
  });

  it('exchanges a refresh token in the body for a new pair', async () => {
    const { body: first } = await register('eve@example.com');
    const { status, body } = await post('refresh', { refreshToken: first.refreshToken });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys(TOKENS);
    expect(body.refreshToken).not.to.equal(first.refreshToken);
    expect((await me(body.accessToken)).status).to.equal(200);
  });

  it('exchanges a refresh token in the header too', async () => {
    const { body } = await register('fay@example.com');
    const response = await post('refresh', undefined, { authorization: `Bearer ${body.refreshToken}` });
    expect(response.status).to.equal(200);
  });

  it('gives the same pair for a lost response, for half a minute', async () => {
    const { body } = await register('gil@example.com');
    const refresh = () => post('refresh', { refreshToken: body.refreshToken });
    const first = await refresh();
    clock.set(clock.now() + 29_000);
    const second = await refresh();
    expect(second.body.refreshToken).to.equal(first.body.refreshToken);
    expect(second.body.accessToken).to.equal(first.body.accessToken);
  });

  it('revokes the session when an old refresh token is reused', async () => {
    const { body } = await register('hal@example.com');
    const { body: next } = await post('refresh', { refreshToken: body.refreshToken });
    clock.set(clock.now() + 31_000);
    expectRefusal(await post('refresh', { refreshToken: body.refreshToken }), 401);
    expectRefusal(await post('refresh', { refreshToken: next.refreshToken }), 401);
  });

  it('rejects an invalid refresh token of any length', async () => {
    for (const refreshToken of ['', 'x', 'x'.repeat(201), 'x'.repeat(7000)])
      expectRefusal(await post('refresh', { refreshToken }), 401);
  });

  it('refuses two refresh tokens at once, and none', async () => {
    expectRefusal(await post('refresh', { refreshToken: 'a' }, { authorization: 'Bearer b' }), 400);
    expectRefusal(await post('refresh'), 401);
  });

  it('refuses an access token after its hour', async () => {
    const { body } = await register('ivy@example.com');
    clock.set(clock.now() + 3_600_000);
    expect((await me(body.accessToken)).status, 'within the tolerance for clocks').to.equal(200);
    clock.set(clock.now() + 31_000);
    expectRefusal(await me(body.accessToken), 401);
  });
});

describe('/auth/register, when not open', () => {
  const refusedWith = async (REGISTRATION: string, isFirstRefused: boolean) => {
    const harness = await startHarness({ REGISTRATION });
    const register = (email: string) => harness.call('POST', '/auth/register', { email, password: PASSWORD });
    const first = await register('first@example.com');
    if (isFirstRefused) expectRefusal(first, 403);
    else expect(first.status).to.equal(201);
    expectRefusal(await register('second@example.com'), 403);
    await harness.stop();
  };

  it('rejects every registration when closed', () => refusedWith('closed', true));
  it('takes one user when it is for the first only', () => refusedWith('first_user_only', false));
});
