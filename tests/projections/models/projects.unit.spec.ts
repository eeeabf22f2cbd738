// Projects, memberships, apps and API keys.
import { expect } from 'chai';
import { projectEvents } from '../../../src/domain/project/events.js';
import { streams } from '../../../src/domain/streams.js';
import { apiKeys, apps, projects } from '../../../src/projections/models/projects.js';
import { DAY } from '../support/customer-events.js';
import { past, given, PROJECT } from '../support/spec.js';

const stream = streams.project(PROJECT);
const settings = { transferBehavior: 'transfer', sandboxAccess: 'anybody', displayCurrency: 'USD' } as const;
const created = past(
  stream,
  projectEvents.ProjectCreated.of({ projectId: PROJECT, name: 'Weather', ownerId: 'user_1', ...settings }),
  DAY(1),
);
const app = {
  appId: 'app_1',
  name: 'Weather',
  platform: 'ios',
  store: 'ios-store',
  storeIdentifier: 'com.example.app',
  storeAppId: null,
  notificationForwardingUrl: null,
  refundPolicy: 'revoke_immediately',
  iosStoreSmallBusiness: true,
} as const;
const keyCreated = (keyId: string, sha256: string) =>
  past(
    stream,
    projectEvents.ApiKeyCreated.of({
      ...{ keyId, name: 'Server', kind: 'secret', appId: null, sha256, prefix: 'sk_', last4: 'abcd' },
      scopes: [],
      expiresAt: null,
    }),
    DAY(2),
  );
const keyDeleted = (keyId: string, sha256: string) =>
  past(stream, projectEvents.ApiKeyDeleted.of({ keyId, sha256 }), DAY(3));

describe('projects read model', () => {
  it('shows a project and makes its owner a member', () =>
    given(projects, created).then((found) => {
      expect(found['projects']).to.deep.equal({
        [PROJECT]: {
          projectId: PROJECT,
          name: 'Weather',
          ownerId: 'user_1',
          ...settings,
          createdAt: DAY(1),
          updatedAt: DAY(1),
          members: [{ userId: 'user_1', role: 'owner', joinedAt: DAY(1) }],
          invitations: [],
        },
      });
      expect(found['memberships']).to.deep.equal({
        [`${PROJECT}|user_1`]: { userId: 'user_1', projectId: PROJECT, role: 'owner' },
      });
    }));

  const role = 'support' as const;
  const invitation = {
    ...{ invitationId: 'inv_1', emailKey: 'key_1', email: 'ann@example.com', role, expiresAt: DAY(9) },
  };
  const invited = past(stream, projectEvents.MemberInvited.of(invitation), DAY(2));
  const joined = past(stream, projectEvents.MemberJoined.of({ userId: 'user_2', role, invitationId: 'inv_1' }), DAY(3));
  const raised = past(
    stream,
    projectEvents.MemberRoleChanged.of({ userId: 'user_2', from: role, to: 'admin' }),
    DAY(4),
  );
  const removed = past(stream, projectEvents.MemberRemoved.of({ userId: 'user_2', role: 'admin' }), DAY(5));
  const owner = { userId: 'user_1', projectId: PROJECT, role: 'owner' };

  it('shows an open invitation, until it is used or withdrawn', async () => {
    await given(projects, created, invited).then((found) =>
      expect(found['projects']?.[PROJECT]).to.deep.include({ invitations: [{ ...invitation, invitedAt: DAY(2) }] }),
    );
    const withdrawn = past(stream, projectEvents.InvitationWithdrawn.of({ invitationId: 'inv_1' }), DAY(3));
    for (const ended of [joined, withdrawn])
      await given(projects, created, invited, ended).then((found) =>
        expect(found['projects']?.[PROJECT]).to.deep.include({ invitations: [] }),
      );
  });

  it('makes who joined a member, with the role of today', () =>
    given(projects, created, invited, joined, raised).then((found) => {
      expect(found['projects']?.[PROJECT]).to.deep.include({
        members: [
          { userId: 'user_1', role: 'owner', joinedAt: DAY(1) },
          { userId: 'user_2', role: 'admin', joinedAt: DAY(3) },
        ],
      });
      expect(found['memberships']).to.deep.equal({
        [`${PROJECT}|user_1`]: owner,
        [`${PROJECT}|user_2`]: { userId: 'user_2', projectId: PROJECT, role: 'admin' },
      });
    }));

  it('has no membership of who was removed', () =>
    given(projects, created, invited, joined, removed).then((found) =>
      expect(found['memberships']).to.deep.equal({ [`${PROJECT}|user_1`]: owner }),
    ));

  it('shows apps under their project', () =>
    given(apps, created, past(stream, projectEvents.AppRegistered.of(app), DAY(2))).then((found) =>
      expect(found['apps']).to.deep.equal({
        app_1: { ...app, projectId: PROJECT, createdAt: DAY(2), updatedAt: DAY(2) },
      }),
    ));
});

describe('projects that change and end', () => {
  const changes = { name: { from: 'Weather', to: 'Rain' }, sandboxAccess: { from: 'anybody', to: 'nobody' } } as const;
  const updated = past(stream, projectEvents.ProjectUpdated.of({ changes }), DAY(3));
  const deleted = past(stream, projectEvents.ProjectDeleted.of({ projectId: PROJECT, ownerId: 'user_1' }), DAY(4));
  const registered = past(stream, projectEvents.AppRegistered.of(app), DAY(2));
  const url = 'https://hooks.example.com';
  const forwarded = { notificationForwardingUrl: { from: null, to: url } };
  const forwarding = past(stream, projectEvents.AppSettingsUpdated.of({ appId: 'app_1', changes: forwarded }), DAY(3));
  const removed = past(stream, projectEvents.AppDeleted.of({ appId: 'app_1' }), DAY(4));

  it('show what they are now', () =>
    given(projects, created, updated).then((found) =>
      expect(found['projects']?.[PROJECT]).to.include({
        ...{ name: 'Rain', sandboxAccess: 'nobody', transferBehavior: 'transfer' },
        ...{ createdAt: DAY(1), updatedAt: DAY(3) },
      }),
    ));

  it('are gone with their members', () =>
    given(projects, created, updated, deleted).then((found) => {
      expect(found['projects']).to.deep.equal({});
      expect(found['memberships']).to.deep.equal({});
    }));

  it('show the settings of apps as they are now', () =>
    given(apps, created, registered, forwarding).then((found) =>
      expect(found['apps']?.['app_1']).to.include({ notificationForwardingUrl: url, updatedAt: DAY(3) }),
    ));

  it('show deleted apps no more', () =>
    given(apps, created, registered, forwarding, removed).then((found) => expect(found['apps']).to.deep.equal({})));
});

describe('API keys read model', () => {
  it('finds a key by the hash of its value, which the document does not hold', () =>
    given(apiKeys, created, keyCreated('key_1', 'aa')).then((found) => {
      expect(found['api_keys']).to.have.all.keys('aa');
      expect(found['api_keys']?.['aa']).to.not.have.property('sha256');
      expect(found['api_keys']?.['aa']).to.include({ projectId: PROJECT, keyId: 'key_1', createdAt: DAY(2) });
    }));

  it('finds a deleted key no more', () =>
    given(apiKeys, created, keyCreated('key_1', 'aa'), keyCreated('key_2', 'bb'), keyDeleted('key_1', 'aa')).then(
      (found) => expect(found['api_keys']).to.have.all.keys('bb'),
    ));
});
