// One webhook: made, changed, warned of, disabled, enabled, deleted.
import { webhookEvents as e } from '../../../src/domain/webhook/events.js';
import { webhookDecider } from '../../../src/domain/webhook/webhook.js';
import { given } from '../spec.js';

const webhookId = 'wh_1';
const settings = {
  name: null,
  url: 'https://hooks.example.com',
  eventTypes: ['RENEWAL'],
  appId: null,
  environment: null,
  payloadFormat: 'camelCase' as const,
  ordered: true,
};
const webhook = { webhookId, ...settings, enabled: true };
const created = e.WebhookCreated.of(webhook);
const disabled = e.WebhookDisabled.of({ webhookId, cause: 'failures' });
const made = (...events: Parameters<typeof webhookDecider.evolve>[1][]) => given(webhookDecider, created, ...events);

describe('a webhook', () => {
  it('is made once', () => given(webhookDecider).when({ kind: 'create', webhook }).then(created));

  it('changes what differs and records both values', () =>
    made()
      .when({ kind: 'update', set: { eventTypes: null, ordered: true, url: 'https://hooks.example.com/2' } })
      .then(
        e.WebhookUpdated.of({
          webhookId,
          changes: {
            url: { from: settings.url, to: 'https://hooks.example.com/2' },
            eventTypes: { from: ['RENEWAL'], to: null },
          },
        }),
      ));

  it('does not change what is so already', () =>
    made()
      .when({ kind: 'update', set: { ...settings, eventTypes: ['RENEWAL'] } })
      .thenNothing());

  it('gets a new secret on each request', () =>
    made()
      .when({ kind: 'rotateSecret', graceHours: 24 })
      .thenOnce(e.WebhookSecretRotated.of({ webhookId, graceHours: 24 })));

  it('is disabled once, for the first cause', () =>
    made()
      .when({ kind: 'disable', cause: 'gone' }, { kind: 'disable', cause: 'user' })
      .then(e.WebhookDisabled.of({ webhookId, cause: 'gone' })));

  it('is enabled again', () => made(disabled).when({ kind: 'enable' }).then(e.WebhookEnabled.of({ webhookId })));

  it('that is enabled is left so', () => made().when({ kind: 'enable' }).thenNothing());

  it('is warned of while it is enabled', () => {
    const since = '2026-11-20T10:00:00.000Z';
    made().when({ kind: 'warn', since }).thenOnce(e.WebhookFailing.of({ webhookId, since }));
    made(disabled).when({ kind: 'warn', since }).thenNothing();
  });

  it('is deleted once', () => {
    const deleted = e.WebhookDeleted.of({ webhookId });
    made().when({ kind: 'delete' }).thenOnce(deleted);
    for (const command of [{ kind: 'enable' }, { kind: 'delete' }, { kind: 'update', set: {} }] as const)
      made(deleted).when(command).thenRejected('webhook-unknown');
    made(deleted).when({ kind: 'create', webhook }).thenNothing();
  });

  it('that never was cannot be changed', () =>
    given(webhookDecider).when({ kind: 'update', set: {} }).thenRejected('webhook-unknown'));
});
