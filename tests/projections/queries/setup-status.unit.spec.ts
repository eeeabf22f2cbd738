// Setup status of a project.
import { expect } from 'chai';
import { catalogEvents } from '../../../src/domain/catalog/catalog.js';
import { inboxEvents } from '../../../src/domain/inbox/inbox.js';
import { projectEvents as e } from '../../../src/domain/project/events.js';
import { streams } from '../../../src/domain/streams.js';
import { setupStatus, type SetupStatusDoc } from '../../../src/projections/queries/setup-status.js';
import { customer, DAY } from '../support/customer-events.js';
import { past, given, PROJECT } from '../support/spec.js';

const stream = streams.project(PROJECT);
const settings = { transferBehavior: 'transfer', sandboxAccess: 'anybody', displayCurrency: 'USD' } as const;
const created = past(
  stream,
  e.ProjectCreated.of({ projectId: PROJECT, name: 'Weather', ownerId: 'user_1', ...settings }),
  DAY(1),
);
const deleted = past(stream, e.ProjectDeleted.of({ projectId: PROJECT, ownerId: 'user_1' }), DAY(9));
const key = (kind: 'public' | 'secret', at: string) =>
  past(
    stream,
    e.ApiKeyCreated.of({
      ...{ keyId: `key_${kind}`, name: 'k', kind, appId: null, sha256: kind, prefix: 'pk_', last4: 'abcd' },
      scopes: [],
      expiresAt: null,
    }),
    at,
  );
const entitlement = catalogEvents.EntitlementCreated.of({
  ...{ entitlementId: 'ent_1', lookupKey: 'pro', displayName: 'Pro', description: null },
});
const received = inboxEvents.StoreNotificationReceived.of({
  ...{ inboxId: 'app_1_n', appId: 'app_1', store: 'ios-store', key: 'n', notificationType: 'TEST', subtype: null },
  ...{ rawBody: '{}', decoded: {}, signedAt: DAY(3) },
});
const ann = customer('ann');
const bob = customer('bob');

const doneAt = (found: Record<string, Record<string, unknown>>) =>
  (found['setup_status']?.[PROJECT] as SetupStatusDoc | undefined)?.doneAt;

describe('setup status read model', () => {
  it('begins with nothing done', () => given(setupStatus, created).then((f) => expect(doneAt(f)).to.deep.equal({})));

  it('shows when each step was first done, whatever stream it is read from', () =>
    given(
      setupStatus,
      created,
      past(streams.catalog(PROJECT), entitlement, DAY(2)),
      past(streams.inbox('app_1', 'n'), received, DAY(3)),
      ann.created(DAY(4)),
      ann.subscribed({ at: DAY(5) }),
      bob.created(DAY(6)),
      bob.ownedForever('tx_9', DAY(7)),
    ).then((f) =>
      expect(doneAt(f)).to.deep.equal({
        create_entitlement: DAY(2),
        receive_store_notification: DAY(3),
        first_customer: DAY(4),
        first_purchase: DAY(5),
      }),
    ));

  it('counts public keys only', () =>
    given(setupStatus, created, key('secret', DAY(2)), key('public', DAY(3))).then((f) =>
      expect(doneAt(f)).to.deep.equal({ create_public_api_key: DAY(3) }),
    ));

  it('ends with the project, whatever comes late', () =>
    given(setupStatus, created, key('public', DAY(2)), deleted, ann.created(DAY(10))).then((f) =>
      expect(f['setup_status']).to.deep.equal({}),
    ));
});
