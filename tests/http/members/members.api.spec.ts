// Members of a project over HTTP: invitations, joining, roles, leaving, and that access ends everywhere.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { streams } from '../../../src/domain/streams.js';
import { createApp } from '../../../src/http/app.js';
import { createResponseCache } from '../../../src/http/caches/response-cache.js';
import { createReadModelCache } from '../../../src/http/caches/read-model-cache.js';
import { createServing } from '../../../src/projections/rebuild/serving.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';
import { caller } from '../support/harness.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness, setUpServiceWithFreshProjects } from '../support/setup.js';
import { accept, invite, newMember, newUser, PASSWORD } from '../support/team.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('members', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, asMember } = setUpServiceWithFreshProjects({}, clock.runtime);
  const call: typeof harness.call = (...request) => harness.call(...request);
  const base = () => `/v1/projects/${slice.projectId}/members`;
  const listed = async (token: string) => (await call('GET', base(), undefined, { token })).body.items;
  const inviteAs = (role: Parameters<typeof invite>[3], email?: string) =>
    invite(call, slice.projectId, asMember.token, role, email);
  const member = (role: Parameters<typeof invite>[3]) => newMember(call, slice.projectId, asMember.token, role);
  const patch = (token: string, userId: string, role: string) =>
    call('PATCH', `${base()}/${userId}`, { role }, { token });
  const remove = (token: string, userId: string) => call('DELETE', `${base()}/${userId}`, undefined, { token });
  const idOf = async (token: string) => (await call('GET', '/auth/me', undefined, { token })).body.id as string;

  describe('are invited', () => {
    it('with a token that is shown once, and kept as a hash alone', async () => {
      const { status, body, headers } = await inviteAs('support', ' Grace@Example.COM ');
      expect(status).to.equal(201);
      const { id, token, inviteUrl, ...rest } = body;
      expect(id).to.match(/^inv_[0-9a-z]{26}$/);
      expect(token).to.match(/^inv_[A-Za-z0-9_-]{43}$/);
      expect(inviteUrl).to.equal(`${harness.service().url}/dashboard/invitation#${token}`);
      const times = { invitedAt: new Date(NOW).toISOString(), expiresAt: new Date(NOW + 7 * DAY_MS).toISOString() };
      expect(rest).to.deep.equal({ object: 'invitation', email: 'grace@example.com', role: 'support', ...times });
      expect(headers.get('cache-control')).to.equal('no-store');
      const [, open] = await listed(asMember.token);
      expect(open).to.deep.equal({ id, ...rest });
      const { docs } = harness.service().services.deps;
      const { rows } = await docs.scan('invitation_tokens', { index: 'end', eq: [], limit: 100 });
      expect(JSON.stringify(rows)).not.to.include(token);
    });

    it('once at a time: 409 for an open invitation and for a member', async () => {
      await inviteAs('viewer', 'twice@example.com');
      await expectRefused(harness, () => inviteAs('analyst', 'Twice@example.com'), 409);
      const ann = await member('viewer');
      await expectRefused(harness, () => inviteAs('analyst', ann.email), 409);
    });

    it('again once the invitation has ended', async () => {
      await inviteAs('viewer', 'late@example.com');
      const { email } = (await call('GET', '/auth/me', undefined, asMember)).body;
      clock.set(clock.now() + 7 * DAY_MS);
      const token: string = (await call('POST', '/auth/login', { email, password: PASSWORD })).body.accessToken;
      expect(await listed(token)).to.have.length(1);
      const { status } = await invite(call, slice.projectId, token, 'viewer', 'late@example.com');
      clock.set(NOW);
      expect(status).to.equal(201);
    });

    it('by admins under roles below admin: else 403, which names who could', async () => {
      const admin = await member('admin');
      expect((await invite(call, slice.projectId, admin.token, 'analyst')).status).to.equal(201);
      for (const role of ['owner', 'admin'] as const) {
        const response = await invite(call, slice.projectId, admin.token, role);
        expectRefusal(response, 403);
        expect(response.body.message).to.match(/allowed for: owner$/);
      }
    });

    for (const [what, body] of [
      ['an unknown role', { email: 'a@example.com', role: 'boss' }],
      ['no role', { email: 'a@example.com' }],
      ['no email', { role: 'viewer' }],
      ['an email that is none', { email: 'a', role: 'viewer' }],
    ] as const)
      it(`not with ${what}: 400`, () => expectRefused(harness, () => call('POST', base(), body, asMember), 400));
  });

  describe('join', () => {
    it('as a user who is logged in, whatever their email, and see the project', async () => {
      const { body: invited } = await inviteAs('analyst', 'other@example.com');
      const ann = await newUser(call);
      const { status, body } = await accept(call, ann.token, invited.token);
      expect(status).to.equal(200);
      expect(body).to.include({ object: 'project', id: slice.projectId, role: 'analyst' });
      const { body: own } = await call('GET', '/v1/projects', undefined, { token: ann.token });
      expect(own.items.map((p: { id: string; role: string }) => [p.id, p.role])).to.deep.equal([
        [slice.projectId, 'analyst'],
      ]);
      const [newest] = await listed(asMember.token);
      const joinedAt = new Date(clock.now()).toISOString();
      expect(newest).to.deep.equal({
        ...{ object: 'member', id: ann.userId, email: ann.email, name: null, role: 'analyst', joinedAt },
        ...{ lastLoginAt: joinedAt, hasSecondFactor: false },
      });
    });

    it('while they register', async () => {
      const { body: invited } = await inviteAs('viewer');
      const ann = await newUser(call, { invitationToken: invited.token });
      const { body } = await call('GET', '/auth/me', undefined, { token: ann.token });
      expect(body.projects).to.deep.equal([{ id: slice.projectId, name: 'Example', role: 'viewer' }]);
    });

    it('once by a token: 404 for the second, also of two at once', async () => {
      const { body: invited } = await inviteAs('viewer');
      const [ann, ben, cid] = [await newUser(call), await newUser(call), await newUser(call)];
      const both = await Promise.all([ann, ben].map(({ token }) => accept(call, token, invited.token)));
      expect(both.map((r) => r.status).sort()).to.deep.equal([200, 404]);
      await expectRefused(harness, () => accept(call, cid.token, invited.token), 404);
      await expectRefused(harness, () => accept(call, ann.token, invited.token), 404);
      expect(await listed(asMember.token)).to.have.length(2);
    });

    it('not by an unknown, expired or revoked token: 404, and registering creates no user', async () => {
      const expired = (await inviteAs('viewer')).body.token;
      const ann = await newUser(call);
      const withdrawn = (await inviteAs('viewer')).body;
      await call('DELETE', `${base()}/invitations/${withdrawn.id}`, undefined, asMember);
      for (const token of ['inv_x', withdrawn.token]) {
        await expectRefused(harness, () => accept(call, ann.token, token), 404);
        const credentials = { email: 'refused@example.com', password: PASSWORD, invitationToken: token };
        await expectRefused(harness, () => call('POST', '/auth/register', credentials), 404);
      }
      clock.set(clock.now() + 7 * DAY_MS);
      const credentials = { email: 'refused@example.com', password: PASSWORD, invitationToken: expired };
      await expectRefused(harness, () => call('POST', '/auth/register', credentials), 404);
      const { status } = await call('POST', '/auth/register', { email: 'refused@example.com', password: PASSWORD });
      expect(status).to.equal(201);
      clock.set(NOW);
    });

    it('not when they are members: 409, and the token stays valid for another user', async () => {
      const { body: invited } = await inviteAs('viewer');
      await expectRefused(harness, () => accept(call, asMember.token, invited.token), 409);
      const ann = await newUser(call);
      expect((await accept(call, ann.token, invited.token)).status).to.equal(200);
    });

    it('not with an email that is taken or a password that is refused: the token still lets in', async () => {
      const { body: invited } = await inviteAs('viewer');
      const ann = await newUser(call);
      const as = (email: string, password: string) =>
        call('POST', '/auth/register', { email, password, invitationToken: invited.token });
      await expectRefused(harness, () => as(ann.email, PASSWORD), 409);
      await expectRefused(harness, () => as('new@example.com', 'password1234'), 400);
      expect((await accept(call, ann.token, invited.token)).status).to.equal(200);
    });

    it('not as a user who was erased: 401; the log has no email of an invitation for them', async () => {
      const ann = await newUser(call);
      const { body: invited } = await inviteAs('viewer', ann.email);
      const { deps } = harness.service().services;
      const { body: open } = await inviteAs('support');
      const subject = streams.user(deps.hash('email', ann.email));
      await deps.dataKeys.erase(subject, (await deps.dataKeys.rotate(subject)) ?? '');
      await harness.restart();
      const { services } = harness.service();
      expect((await services.auth.findUser(ann.userId))?.email).to.equal(null);
      const emails: unknown[] = [];
      for await (const { type, data } of services.deps.log.read(streams.project(slice.projectId)))
        if (type === 'MemberInvited') emails.push((data as { email: string | null }).email);
      expect(emails).to.have.length(2).and.to.include(null);
      for (const { token } of [invited, open]) await expectRefused(harness, () => accept(call, ann.token, token), 401);
      expectRefusal(await call('GET', '/auth/me', undefined, { token: ann.token }), 401);
      expectRefusal(await call('POST', '/auth/login', { email: ann.email, password: PASSWORD }), 401);
      const ben = await newUser(call);
      expect((await accept(call, ben.token, invited.token)).status).to.equal(200);
    });
  });

  describe('have roles', () => {
    it('that an owner changes, also to owner', async () => {
      const ann = await member('viewer');
      const { status, body } = await patch(asMember.token, ann.userId, 'owner');
      expect([status, body.object, body.role]).to.deep.equal([200, 'member', 'owner']);
      const own = await idOf(asMember.token);
      expect((await patch(ann.token, own, 'viewer')).body.role).to.equal('viewer');
      expectRefusal(await inviteAs('viewer'), 403);
    });

    it('but not of oneself to a higher role: 403, nothing changed', async () => {
      for (const role of ['admin', 'analyst', 'finance', 'support', 'viewer'] as const) {
        const { token, userId } = await member(role);
        for (const to of ['owner', 'admin']) await expectRefused(harness, () => patch(token, userId, to), 403);
      }
    });

    it('of which the last owner stays: 409', async () => {
      const own = await idOf(asMember.token);
      await expectRefused(harness, () => patch(asMember.token, own, 'admin'), 409);
      await expectRefused(harness, () => remove(asMember.token, own), 409);
    });

    it('but not of an unknown member: 404', async () => {
      await expectRefused(harness, () => patch(asMember.token, 'usr_nobody', 'viewer'), 404);
      await expectRefused(harness, () => remove(asMember.token, 'usr_nobody'), 404);
    });
  });

  it('are listed for every member, invitations for who may invite', async () => {
    await inviteAs('viewer');
    const people = { admin: await member('admin'), viewer: await member('viewer') };
    const objects = async (token: string) => (await listed(token)).map((one: { object: string }) => one.object);
    expect(await objects(people.admin.token)).to.deep.equal(['member', 'member', 'member', 'invitation']);
    expect(await objects(people.viewer.token)).to.deep.equal(['member', 'member', 'member']);
    const pages = await call('GET', `${base()}?limit=2`, undefined, asMember);
    const next = await call('GET', pages.body.nextPage, undefined, asMember);
    expect([...pages.body.items, ...next.body.items]).to.deep.equal(await listed(asMember.token));
    expect(next.body.nextPage).to.equal(null);
  });

  it('are not changed by a repeat of a request: the response of the first is given again', async () => {
    const as = { ...asMember, headers: { 'idempotency-key': 'once' } };
    const body = { email: 'once-only@example.com', role: 'viewer' };
    const [first, second] = [await call('POST', base(), body, as), await call('POST', base(), body, as)];
    expect(second.body).to.deep.equal(first.body);
    await call('DELETE', `${base()}/invitations/${first.body.id}`, undefined, asMember);
    expectRefusal(await call('POST', base(), body, as), 409);
  });

  describe('whose membership ends', () => {
    it('have no access with the next request, in another process either, and may be let in again', async () => {
      const second = await secondApp();
      const ann = await member('admin');
      const asked = (to: typeof call) => to('GET', `/v1/projects/${slice.projectId}`, undefined, { token: ann.token });
      expect([(await asked(call)).status, (await asked(second.call)).status]).to.deep.equal([200, 200]);
      const { status, body } = await remove(asMember.token, ann.userId);
      expect([status, body]).to.deep.equal([200, { object: 'member', id: ann.userId, deleted: true }]);
      expectRefusal(await asked(call), 404);
      expectRefusal(await asked(second.call), 404);
      expect((await call('GET', '/v1/projects', undefined, { token: ann.token })).body.items).to.deep.equal([]);
      const again = await invite(call, slice.projectId, asMember.token, 'viewer', ann.email);
      expect((await accept(second.call, ann.token, again.body.token)).body.role).to.equal('viewer');
      await second.close();
    });

    it('may end it themselves', async () => {
      const ann = await member('viewer');
      expect((await remove(ann.token, ann.userId)).status).to.equal(200);
      expectRefusal(await call('GET', base(), undefined, { token: ann.token }), 404);
    });
  });

  /** An app with caches and read models of its own over the same documents, as another process has. */
  async function secondApp() {
    const { services } = harness.service();
    const { deps, runtime } = services;
    const readModels = createReadModels(deps.docs, createServing(deps.docs, runtime));
    const own = {
      readModels,
      cached: createReadModelCache(readModels, runtime, { local: null }),
      subscriberResponses: createResponseCache<string>({ local: null }, runtime, {
        common: [],
        maxBytes: 0,
        sizeOf: () => 0,
      }),
      progress: createProgress(),
    };
    const health = { hasCaughtUp: true, isDraining: false };
    const options = {
      trustProxy: 0,
      corsOrigins: [],
      docs: { openApi: () => Buffer.alloc(0), viewer: () => Buffer.alloc(0) },
      dashboard: null,
    };
    const server = createServer(createApp({ ...services, ...own }, health, options));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
    return { call: caller(() => `http://127.0.0.1:${port}`), close };
  }
});

describe('where registration is closed', () => {
  const harness = setUpHarness({ REGISTRATION: 'first_user_only' });
  const call: typeof harness.call = (...request) => harness.call(...request);

  it('lets only invited users register', async () => {
    const owner = await newUser(call);
    const project = await call('POST', '/v1/projects', { name: 'Example' }, { token: owner.token });
    const credentials = { email: 'invited@example.com', password: PASSWORD };
    await expectRefused(harness, () => call('POST', '/auth/register', credentials), 403);
    const { body } = await invite(call, project.body.id, owner.token, 'support');
    const joined = await call('POST', '/auth/register', { ...credentials, invitationToken: body.token });
    expect(joined.status).to.equal(201);
    expectRefusal(await call('POST', '/auth/register', { email: 'x@example.com', password: PASSWORD }), 403);
  });
});
