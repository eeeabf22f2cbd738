// An app of a project: its settings, its end, the credentials of its store.
import { projectDecider } from '../../../src/domain/project/decide.js';
import { projectEvents as e, type App } from '../../../src/domain/project/events.js';
import { given } from '../spec.js';
import { iosApp as ios } from './samples.js';

const created = e.ProjectCreated.of({
  projectId: 'proj_1',
  name: 'Weather',
  ownerId: 'user_1',
  transferBehavior: 'transfer',
  sandboxAccess: 'anybody',
  displayCurrency: 'USD',
});
const android: App = { ...ios, appId: 'app_2', platform: 'android', store: 'android-store' };
const key = {
  keyId: 'key_1',
  name: 'app',
  kind: 'public' as const,
  appId: 'app_1',
  sha256: 'a'.repeat(64),
  prefix: 'pk_',
  last4: 'wxyz',
  scopes: [],
  expiresAt: null,
};
const url = 'https://hooks.example.com/store';
const registered = [created, e.AppRegistered.of(ios), e.AppRegistered.of(android)];
const weather = (...events: Parameters<typeof projectDecider.evolve>[1][]) =>
  given(projectDecider, ...registered, ...events);
const updated = (appId: string, changes: Parameters<typeof e.AppSettingsUpdated.of>[0]['changes']) =>
  e.AppSettingsUpdated.of({ appId, changes });
const credentials = { appId: 'app_1', store: 'ios-store' as const, fingerprint: 'f1' };

describe('settings of an app', () => {
  it('change and record both values', () =>
    weather()
      .when({ kind: 'updateApp', appId: 'app_1', set: { notificationForwardingUrl: url, iosStoreSmallBusiness: true } })
      .then(
        updated('app_1', {
          notificationForwardingUrl: { from: null, to: url },
          iosStoreSmallBusiness: { from: false, to: true },
        }),
      ));

  it('are cleared by null', () =>
    weather(updated('app_1', { notificationForwardingUrl: { from: null, to: url } }))
      .when({ kind: 'updateApp', appId: 'app_1', set: { notificationForwardingUrl: null } })
      .then(updated('app_1', { notificationForwardingUrl: { from: url, to: null } })));

  it('that are so already change nothing', () =>
    weather()
      .when({ kind: 'updateApp', appId: 'app_1', set: { name: ios.name, refundPolicy: 'revoke_immediately' } })
      .thenNothing());

  it('record how questions about refunds are answered', () =>
    weather()
      .when({ kind: 'updateApp', appId: 'app_1', set: { refundAnswer: 'grant_prorated', refundConsent: 'terms' } })
      .then(
        updated('app_1', {
          refundAnswer: { from: 'none', to: 'grant_prorated' },
          refundConsent: { from: 'each_customer', to: 'terms' },
        }),
      ));

  it('refuse an answer that the store does not take', () =>
    weather()
      .when({ kind: 'updateApp', appId: 'app_2', set: { refundAnswer: 'grant_prorated' } })
      .thenRejected('wrong-store'));

  it('of the other store are refused', () =>
    weather()
      .when({ kind: 'updateApp', appId: 'app_2', set: { iosStoreSmallBusiness: false } })
      .thenRejected('wrong-store'));

  it('of no app are refused', () =>
    weather()
      .when({ kind: 'updateApp', appId: 'app_9', set: { name: 'x' } })
      .thenRejected('app-unknown'));
});

describe('an app that is deleted', () => {
  it('ends its API keys with it', () =>
    weather(e.ApiKeyCreated.of(key), e.ApiKeyCreated.of({ ...key, keyId: 'key_2', appId: 'app_2' }))
      .when({ kind: 'deleteApp', appId: 'app_1' })
      .thenOnce(e.ApiKeyDeleted.of({ keyId: 'key_1', sha256: key.sha256 }), e.AppDeleted.of({ appId: 'app_1' })));

  it('is no more', () =>
    weather(e.AppDeleted.of({ appId: 'app_1' }))
      .when({ kind: 'deleteApp', appId: 'app_1' })
      .thenRejected('app-unknown'));

  it('leaves its name in the store to another', () => {
    const next = { ...ios, appId: 'app_3' };
    weather(e.AppDeleted.of({ appId: 'app_1' }))
      .when({ kind: 'registerApp', app: next })
      .then(e.AppRegistered.of(next));
  });
});

describe('the report source of an app', () => {
  const source = { appId: 'app_1', store: credentials.store, account: '81234567', fingerprint: 'f1' };
  const registered = e.ReportSourceRegistered.of(source);
  const register = (changed: Partial<typeof source> = {}) =>
    ({ kind: 'registerReportSource', source: { ...source, ...changed } }) as const;

  it('is registered once', () => {
    weather().when(register()).then(registered);
    weather(registered).when(register()).then();
  });

  it('is replaced by another account or key', () => {
    for (const changed of [{ account: '89999999' }, { fingerprint: 'f2' }])
      weather(registered)
        .when(register(changed))
        .then(e.ReportSourceRegistered.of({ ...source, ...changed }));
  });

  it('is deleted, and goes with its app', () => {
    weather(registered).when({ kind: 'deleteReportSource', appId: 'app_1' }).then(e.ReportSourceDeleted.of(source));
    weather().when({ kind: 'deleteReportSource', appId: 'app_1' }).then();
    weather(registered, e.AppDeleted.of({ appId: 'app_1' }))
      .when(register())
      .thenRejected('app-unknown');
  });

  it('is of the store of its app', () =>
    weather()
      .when(register({ appId: 'app_2' }))
      .thenRejected('wrong-store'));
});

describe('credentials of an app', () => {
  const given1 = e.AppCredentialsRegistered.of(credentials);
  it('are registered once', () => weather().when({ kind: 'registerCredentials', credentials }).then(given1));

  it('are replaced by others', () => {
    const others = { ...credentials, fingerprint: 'f2' };
    weather(given1)
      .when({ kind: 'registerCredentials', credentials: others })
      .then(e.AppCredentialsRegistered.of(others));
  });

  it('are those of its own store', () =>
    weather()
      .when({ kind: 'registerCredentials', credentials: { ...credentials, appId: 'app_2' } })
      .thenRejected('wrong-store'));

  it('are deleted', () =>
    weather(given1).when({ kind: 'deleteCredentials', appId: 'app_1' }).then(e.AppCredentialsDeleted.of(credentials)));

  it('of no app are refused', () => {
    for (const command of [
      { kind: 'deleteCredentials', appId: 'app_9' },
      { kind: 'registerCredentials', credentials: { ...credentials, appId: 'app_9' } },
    ] as const)
      weather().when(command).thenRejected('app-unknown');
  });
});
