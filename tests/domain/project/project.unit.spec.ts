// A project with its apps and API keys.
import { projectDecider } from '../../../src/domain/project/decide.js';
import { projectEvents as e, type App } from '../../../src/domain/project/events.js';
import { given } from '../spec.js';
import { iosApp as app } from './samples.js';

const project = {
  projectId: 'proj_1',
  name: 'Weather',
  ownerId: 'user_1',
  transferBehavior: 'transfer' as const,
  sandboxAccess: 'anybody' as const,
  displayCurrency: 'USD',
};
const key = {
  keyId: 'key_1',
  name: 'server',
  kind: 'secret' as const,
  appId: null,
  sha256: 'a'.repeat(64),
  prefix: 'sk',
  last4: 'wxyz',
  scopes: [],
  expiresAt: null,
};
const { keyId, sha256 } = key;
const created = e.ProjectCreated.of(project);
const projectDeleted = e.ProjectDeleted.of({ projectId: 'proj_1', ownerId: 'user_1' });
const registered = e.AppRegistered.of(app);
const keyCreated = e.ApiKeyCreated.of(key);
const weather = (...events: Parameters<typeof projectDecider.evolve>[1][]) => given(projectDecider, created, ...events);
const hundred = <T>(make: (i: number) => T) => Array.from({ length: 100 }, (_, i) => make(i));

describe('a project', () => {
  it('is made once', () => given(projectDecider).when({ kind: 'create', project }).then(created));

  it('must be there before its apps', () =>
    given(projectDecider).when({ kind: 'registerApp', app }).thenRejected('project-unknown'));

  it('changes what differs and records both values', () =>
    weather()
      .when({ kind: 'update', set: { name: 'Rain', transferBehavior: 'transfer', sandboxAccess: 'nobody' } })
      .then(
        e.ProjectUpdated.of({
          changes: { name: { from: 'Weather', to: 'Rain' }, sandboxAccess: { from: 'anybody', to: 'nobody' } },
        }),
      ));

  it('does not change what is so already', () =>
    weather()
      .when({ kind: 'update', set: { name: 'Weather' } })
      .thenNothing());

  it('takes its keys with it when it is deleted', () =>
    weather(keyCreated).when({ kind: 'delete' }).thenOnce(e.ApiKeyDeleted.of({ keyId, sha256 }), projectDeleted));

  it('that is deleted is no more', () => {
    for (const command of [
      { kind: 'delete' },
      { kind: 'update', set: { name: 'x' } },
      { kind: 'registerApp', app },
    ] as const)
      weather(projectDeleted).when(command).thenRejected('project-unknown');
  });
});

describe('an app', () => {
  it('is registered once', () => weather().when({ kind: 'registerApp', app }).then(registered));

  it('may not take the store’s name of another', () =>
    weather(registered)
      .when({ kind: 'registerApp', app: { ...app, appId: 'app_2' } })
      .thenRejected('app-exists'));

  it('may have the same name in the other store', () => {
    const android: App = { ...app, appId: 'app_2', platform: 'android', store: 'android-store' };
    weather(registered).when({ kind: 'registerApp', app: android }).then(e.AppRegistered.of(android));
  });

  it('is one of at most 100', () => {
    const apps = hundred((i) => e.AppRegistered.of({ ...app, appId: `app_${i}`, storeIdentifier: `app.n${i}` }));
    weather(...apps)
      .when({ kind: 'registerApp', app: { ...app, appId: 'more' } })
      .thenRejected('too-many-apps');
  });
});

describe('an API key', () => {
  it('is made once', () => weather().when({ kind: 'createApiKey', key }).then(keyCreated));

  it('may be bound to an app of the project', () => {
    const bound = { ...key, appId: 'app_1' };
    weather(registered).when({ kind: 'createApiKey', key: bound }).then(e.ApiKeyCreated.of(bound));
  });

  it('may not be bound to another app', () =>
    weather()
      .when({ kind: 'createApiKey', key: { ...key, appId: 'app_9' } })
      .thenRejected('app-unknown'));

  it('is one of at most 100', () => {
    const keys = hundred((i) => e.ApiKeyCreated.of({ ...key, keyId: `key_${i}` }));
    weather(...keys)
      .when({ kind: 'createApiKey', key: { ...key, keyId: 'more' } })
      .thenRejected('too-many-keys');
  });

  it('is deleted with the hash that it is found by', () =>
    weather(keyCreated).when({ kind: 'deleteApiKey', keyId }).thenOnce(e.ApiKeyDeleted.of({ keyId, sha256 })));

  it('that is not there cannot be deleted', () =>
    weather(keyCreated, e.ApiKeyDeleted.of({ keyId, sha256 }))
      .when({ kind: 'deleteApiKey', keyId })
      .thenRejected('api-key-unknown'));
});
