// The own account over HTTP: name, password, sessions, second factor and history, and what a stolen session cannot do.
import { expect } from 'chai';
import { showCode } from '../../../simulator/authenticator.js';
import { createPasswords } from '../../../src/adapters/passwords/worker.js';
import { emailKeyOf } from '../../../src/commands/accounts/auth-context.js';
import { resetPassword } from '../../../src/commands/accounts/passwords.js';
import { streams } from '../../../src/domain/streams.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { setUpHarness } from '../support/setup.js';
import { invite, accept } from '../support/team.js';

const PASSWORD = 'correct horse battery';
const OTHER = 'a better horse battery';
const START = Date.parse('2026-11-20T10:00:00.000Z');
const STEP = 30_000;
const MINUTE = 60_000;

describe('own account', () => {
  const clock = createManualClock(START, { setsElapsed: true });
  const harness = setUpHarness({}, clock.runtime);
  const call: typeof harness.call = (...request) => harness.call(...request);
  const logIn = (email: string, more: object = {}) =>
    call('POST', '/auth/login', { email, password: PASSWORD, ...more });

  let registered = 0;
  const newUser = async () => {
    const email = `user${++registered}@example.com`;
    const { body } = await call('POST', '/auth/register', { email, password: PASSWORD, name: 'Ann' });
    return { email, id: body.user.id as string, token: body.accessToken as string, refreshToken: body.refreshToken };
  };
  const as = (token: string) => ({ token });
  const isOpen = async (token: string) => (await call('GET', '/auth/me', undefined, { token })).status === 200;
  const actions = async (token: string): Promise<string[]> =>
    (await call('GET', '/auth/activity', undefined, { token })).body.items.map((e: { action: string }) => e.action);
  /** Advances the clock, so that the next code was not used. */
  const nextCode = (secret: string) => {
    clock.set(clock.now() + 2 * STEP);
    return showCode(secret, clock.now());
  };
  const secured = async () => {
    const user = await newUser();
    const { secret } = (await call('POST', '/auth/second-factor', { password: PASSWORD }, user)).body;
    const confirmed = await call('POST', '/auth/second-factor/confirm', { code: nextCode(secret) }, user);
    return { ...user, secret: secret as string, codes: confirmed.body.codes as string[] };
  };

  it('changes the name, also for the members of a project', async () => {
    const user = await newUser();
    const project = await call('POST', '/v1/projects', { name: 'Any' }, user);
    const { status, body } = await call('PATCH', '/auth/me', { name: 'Ann Lee' }, user);
    expect([status, body.name]).to.deep.equal([200, 'Ann Lee']);
    const members = await call('GET', `/v1/projects/${project.body.id}/members`, undefined, user);
    expect(members.body.items[0]).to.include({ name: 'Ann Lee' });
    expect((await call('PATCH', '/auth/me', { name: null }, user)).body.name).to.equal(null);
    expectRefusal(await call('PATCH', '/auth/me', { name: '' }, user), 400);
    expect((await actions(user.token)).filter((a) => a === 'UserRenamed')).to.have.length(2);
  });

  it('shows members when the others logged in last, and whether they have a second factor', async () => {
    const owner = await newUser();
    const project = (await call('POST', '/v1/projects', { name: 'Any' }, owner)).body.id;
    const grace = await secured();
    const { token } = (await invite(call, project, owner.token, 'viewer', grace.email)).body;
    await accept(call, grace.token, token);
    await logIn(grace.email, { code: nextCode(grace.secret) });
    const at = new Date(clock.now()).toISOString();
    await harness.service().idle();
    const { items } = (await call('GET', `/v1/projects/${project}/members`, undefined, owner)).body;
    const found = items.find((m: { id: string }) => m.id === grace.id);
    expect(found).to.include({ lastLoginAt: at, hasSecondFactor: true });
  });

  describe('password', () => {
    const change = (user: { token: string }, more: object = {}) =>
      call('POST', '/auth/password', { password: PASSWORD, newPassword: OTHER, ...more }, user);

    it('is replaced, ends all sessions, and continues with a new one', async () => {
      const user = await newUser();
      const elsewhere = (await logIn(user.email)).body;
      const { status, body } = await change(user);
      expect(status).to.equal(200);
      expect(body.user.id).to.equal(user.id);
      expect(await isOpen(body.accessToken)).to.equal(true);
      expect(await isOpen(user.token)).to.equal(false);
      expect(await isOpen(elsewhere.accessToken)).to.equal(false);
      expectRefusal(await call('POST', '/auth/refresh', { refreshToken: elsewhere.refreshToken }), 401);
      expectRefusal(await logIn(user.email), 401);
      expect((await logIn(user.email, { password: OTHER })).status).to.equal(200);
      const { items } = (await call('GET', '/auth/sessions', undefined, as(body.accessToken))).body;
      expect(items.map((s: { isCurrent: boolean }) => s.isCurrent)).to.deep.equal([false, true]);
    });

    it('needs the current one: a stolen session cannot replace it', async () => {
      const user = await newUser();
      await expectRefused(harness, () => change(user, { password: 'a wrong password' }), 403);
      await expectRefused(harness, () => change(user, { newPassword: 'password1234' }), 400);
      expect((await logIn(user.email)).status).to.equal(200);
    });

    it('needs a code if there is a second factor', async () => {
      const user = await secured();
      await expectRefused(harness, () => change(user), 403);
      await expectRefused(harness, () => change(user, { code: '000000' }), 403);
      expect((await change(user, { code: nextCode(user.secret) })).status).to.equal(200);
    });
  });

  describe('sessions', () => {
    it('are listed with the current one, and end one by one', async () => {
      const user = await newUser();
      clock.set(clock.now() + MINUTE);
      const other = (await logIn(user.email)).body;
      const { items } = (await call('GET', '/auth/sessions', undefined, user)).body;
      expect(items).to.have.length(2);
      const [newest] = items;
      const at = new Date(clock.now()).toISOString();
      expect(newest).to.include({ object: 'session', isCurrent: false, openedAt: at, lastUsedAt: at });
      expect(await isOpen(other.accessToken)).to.equal(true);
      expect((await call('DELETE', `/auth/sessions/${newest.id}`, undefined, user)).status).to.equal(200);
      expect(await isOpen(other.accessToken)).to.equal(false);
      expectRefusal(await call('POST', '/auth/refresh', { refreshToken: other.refreshToken }), 401);
      await expectRefused(harness, () => call('DELETE', `/auth/sessions/${newest.id}`, undefined, user), 404);
      expect(await isOpen(user.token)).to.equal(true);
    });

    it('of another user are not found', async () => {
      const [ann, eve] = [await newUser(), await newUser()];
      const { items } = (await call('GET', '/auth/sessions', undefined, ann)).body;
      await expectRefused(harness, () => call('DELETE', `/auth/sessions/${items[0].id}`, undefined, eve), 404);
      expect(await isOpen(ann.token)).to.equal(true);
    });

    it('end all but the current one', async () => {
      const user = await newUser();
      const others = await Promise.all([logIn(user.email), logIn(user.email), logIn(user.email)]);
      const { body } = await call('DELETE', '/auth/sessions', undefined, user);
      expect(body).to.deep.equal({ object: 'endedSessions', count: 3 });
      for (const other of others) expect(await isOpen(other.body.accessToken)).to.equal(false);
      expect(await isOpen(user.token)).to.equal(true);
      expect((await call('DELETE', '/auth/sessions', undefined, user)).body.count).to.equal(0);
      expect((await actions(user.token)).filter((a) => a === 'UserSessionsEnded')).to.have.length(1);
    });

    it('come in pages', async () => {
      const user = await newUser();
      for (let i = 0; i < 3; i++) await logIn(user.email);
      const seen: string[] = [];
      for (let path: string | null = '/auth/sessions?limit=3'; path !== null;) {
        const { body } = await call('GET', path, undefined, user);
        seen.push(...body.items.map((s: { id: string }) => s.id));
        path = body.nextPage;
      }
      expect(new Set(seen)).to.have.property('size', 4);
    });
  });

  describe('second factor', () => {
    it('is required after its confirmation, not before', async () => {
      const user = await newUser();
      const { status, body, headers } = await call('POST', '/auth/second-factor', { password: PASSWORD }, user);
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect((await logIn(user.email)).status).to.equal(200);
      await expectRefused(harness, () => call('POST', '/auth/second-factor/confirm', { code: '000000' }, user), 403);
      const code = showCode(body.secret, clock.now());
      const confirmed = await call('POST', '/auth/second-factor/confirm', { code }, user);
      expect(confirmed.body.codes).to.have.length(10);
      expectRefusal(await logIn(user.email), 401);
      expect((await logIn(user.email, { code: nextCode(body.secret) })).status).to.equal(200);
      const state = await call('GET', '/auth/second-factor', undefined, user);
      expect(state.body).to.include({ enabled: true, recoveryCodesLeft: 10 });
    });

    it('changes nothing for a user without one, whatever code is sent', async () => {
      const user = await newUser();
      expect((await logIn(user.email, { code: '123456' })).status).to.equal(200);
    });

    it('does not tell whether the password was right', async () => {
      const user = await secured();
      const none = await logIn('nobody@example.com', { code: '000000' });
      for (const more of [
        {},
        { code: '000000' },
        { password: OTHER },
        { password: OTHER, code: nextCode(user.secret) },
      ])
        expect((await logIn(user.email, more)).body).to.deep.equal(none.body);
    });

    it('accepts each code once, and not an older one afterwards', async () => {
      const user = await secured();
      const older = nextCode(user.secret);
      clock.set(clock.now() + STEP);
      const code = showCode(user.secret, clock.now());
      const both = await Promise.all([logIn(user.email, { code }), logIn(user.email, { code })]);
      expect(both.map((r) => r.status).sort()).to.deep.equal([200, 401]);
      expectRefusal(await logIn(user.email, { code: older }), 401);
    });

    it('accepts each recovery code once, also while codes are refused', async () => {
      const user = await secured();
      for (let i = 0; i < 8; i++) expectRefusal(await logIn(user.email, { code: '000000' }), 401);
      expectRefusal(await logIn(user.email, { code: showCode(user.secret, clock.now() + STEP) }), 401);
      const [first = '', second = ''] = user.codes;
      expect((await logIn(user.email, { code: first.toLowerCase() })).status).to.equal(200);
      expectRefusal(await logIn(user.email, { code: first }), 401);
      expect((await logIn(user.email, { code: second })).status).to.equal(200);
      const state = await call('GET', '/auth/second-factor', undefined, user);
      expect(state.body).to.include({ recoveryCodesLeft: 8 });
      expect((await actions(user.token)).slice(0, 4)).to.include('UserRecoveryCodeUsed');
    });

    it('is out of reach of a million guesses, even with the password', async () => {
      const user = await secured();
      let compared = 0;
      const { docs } = harness.service().services.deps;
      const wrong = async () => (await docs.get('second_factors', [user.id])).get(user.id)?.doc?.['active'];
      const day = clock.now() + 24 * 60 * MINUTE;
      for (let last = 0; clock.now() < day; clock.set(clock.now() + 5 * MINUTE)) {
        expectRefusal(await logIn(user.email, { code: '000000' }), 401);
        const { wrongCodes } = (await wrong()) as { wrongCodes: number };
        if (wrongCodes > last) compared++;
        last = wrongCodes;
      }
      expect(compared).to.be.within(6, 16);
    }).timeout(120_000);

    it('ends the other sessions when it begins', async () => {
      const user = await newUser();
      const thief = (await logIn(user.email)).body;
      const { secret } = (await call('POST', '/auth/second-factor', { password: PASSWORD }, user)).body;
      await call('POST', '/auth/second-factor/confirm', { code: nextCode(secret) }, user);
      expect(await isOpen(thief.accessToken)).to.equal(false);
      expect(await isOpen(user.token)).to.equal(true);
    });

    it('leaves refreshes and API keys as they are', async () => {
      const user = await secured();
      const project = (await call('POST', '/v1/projects', { name: 'Any' }, user)).body.id;
      const { key } = (await call('POST', `/v1/projects/${project}/api-keys`, { name: 'server' }, user)).body;
      expect((await call('POST', '/auth/refresh', { refreshToken: user.refreshToken })).status).to.equal(200);
      expect((await call('GET', `/v1/projects/${project}`, undefined, { key })).status).to.equal(200);
    });

    it('is removed, and its recovery codes replaced, with password and code alone', async () => {
      const user = await secured();
      const remove = (body: object) => call('DELETE', '/auth/second-factor', body, user);
      const replace = (body: object) => call('POST', '/auth/second-factor/recovery-codes', body, user);
      const at = { password: PASSWORD };
      for (const act of [remove, replace]) {
        await expectRefused(harness, () => act(at), 403);
        await expectRefused(harness, () => act({ ...at, code: '000000' }), 403);
        await expectRefused(harness, () => act({ password: OTHER, code: nextCode(user.secret) }), 403);
      }
      const replaced = await replace({ ...at, code: nextCode(user.secret) });
      expect(replaced.body.codes).to.have.length(10);
      expectRefusal(await logIn(user.email, { code: user.codes[0] }), 401);
      expect((await remove({ ...at, code: replaced.body.codes[0] })).status).to.equal(200);
      expect((await logIn(user.email)).status).to.equal(200);
      await expectRefused(harness, () => remove({ ...at, code: '000000' }), 409);
      const done = ['UserSecondFactorEnabled', 'UserRecoveryCodesReplaced', 'UserSecondFactorDisabled'];
      expect(await actions(user.token)).to.include.members(done);
    });

    it('is prepared with the password alone, and stays as it is while it is in effect', async () => {
      const user = await newUser();
      await expectRefused(harness, () => call('POST', '/auth/second-factor', { password: OTHER }, user), 403);
      await expectRefused(harness, () => call('POST', '/auth/second-factor/confirm', { code: '000000' }, user), 409);
      const on = await secured();
      await expectRefused(harness, () => call('POST', '/auth/second-factor', { password: PASSWORD }, on), 409);
      const late = (await call('POST', '/auth/second-factor', { password: PASSWORD }, user)).body;
      clock.set(clock.now() + 61 * MINUTE);
      const { accessToken: token } = (await logIn(user.email)).body;
      const code = showCode(late.secret, clock.now());
      await expectRefused(harness, () => call('POST', '/auth/second-factor/confirm', { code }, { token }), 409);
    });

    it('is removed by the operator who resets the password, as the history tells', async () => {
      const user = await secured();
      const { deps } = harness.service().services;
      const hash = await hashOf(OTHER);
      const emailKey = emailKeyOf(deps, user.email);
      await resetPassword(deps, { emailKey, hash, commandId: 'reset_1' });
      // Token versions are cached for a second.
      clock.set(clock.now() + MINUTE);
      const { status, body } = await logIn(user.email, { password: OTHER });
      expect(status).to.equal(200);
      const { items } = (await call('GET', '/auth/activity', undefined, as(body.accessToken))).body;
      expect(items.slice(1, 3)).to.deep.include.members([
        { ...items[1], action: 'UserSecondFactorDisabled', byOperator: true },
        { ...items[2], action: 'UserPasswordReset', byOperator: true },
      ]);
    });

    it('keeps its secret and codes out of log and records in clear', async () => {
      const user = await secured();
      const { deps } = harness.service().services;
      const kept = JSON.stringify([...(await deps.docs.get('second_factors', [user.id]))]);
      const events: unknown[] = [];
      for await (const e of deps.log.read(streams.user(emailKeyOf(deps, user.email)))) events.push(e);
      for (const secret of [user.secret, ...user.codes, ...user.codes.map((one) => one.replaceAll('-', ''))])
        expect(`${kept}${JSON.stringify(events)}`).not.to.include(secret);
    });

    it('is of nobody once the data key of the user is gone', async () => {
      const user = await secured();
      const { deps } = harness.service().services;
      const subject = streams.user(emailKeyOf(deps, user.email));
      const name = await deps.dataKeys.rotate(subject);
      await deps.dataKeys.erase(subject, name ?? '');
      await harness.restart();
      expectRefusal(await logIn(user.email, { code: nextCode(user.secret) }), 401);
      expectRefusal(await logIn(user.email, { code: user.codes[0] }), 401);
    });
  });

  async function hashOf(password: string): Promise<string> {
    const passwords = createPasswords({ cost: 4 });
    const hash = await passwords.hash(password);
    await passwords.close();
    return hash;
  }
});
