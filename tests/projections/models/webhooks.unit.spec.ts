// The list of webhooks.
import { expect } from 'chai';
import { streams } from '../../../src/domain/streams.js';
import { webhookEvents as e } from '../../../src/domain/webhook/events.js';
import { webhooks } from '../../../src/projections/models/webhooks.js';
import { DAY } from '../support/customer-events.js';
import { past, given, PROJECT } from '../support/spec.js';

const webhookId = 'wh_1';
const settings = {
  name: 'Back end',
  url: 'https://hooks.example.com',
  eventTypes: null,
  appId: null,
  environment: null,
  payloadFormat: 'camelCase',
  ordered: true,
} as const;
const stream = streams.webhook(PROJECT, webhookId);
const created = past(stream, e.WebhookCreated.of({ webhookId, ...settings, enabled: true }), DAY(1));
const shown = {
  projectId: PROJECT,
  webhookId,
  ...settings,
  enabled: true,
  disabledReason: null,
  createdAt: DAY(1),
  updatedAt: DAY(1),
};
const url = { from: settings.url, to: 'https://hooks.example.com/2' };

describe('webhooks read model', () => {
  it('shows a webhook and what changed in it', () =>
    given(webhooks, created, past(stream, e.WebhookUpdated.of({ webhookId, changes: { url } }), DAY(2))).then((found) =>
      expect(found['webhooks']).to.deep.equal({ [webhookId]: { ...shown, url: url.to, updatedAt: DAY(2) } }),
    ));

  it('shows why a webhook is disabled', () =>
    given(webhooks, created, past(stream, e.WebhookDisabled.of({ webhookId, cause: 'gone' }), DAY(2))).then((found) =>
      expect(found['webhooks']?.[webhookId]).to.include({ enabled: false, disabledReason: 'gone' }),
    ));

  it('shows an enabled one as it was', () =>
    given(
      webhooks,
      created,
      past(stream, e.WebhookDisabled.of({ webhookId, cause: 'user' }), DAY(2)),
      past(stream, e.WebhookSecretRotated.of({ webhookId, graceHours: 0 }), DAY(3)),
      past(stream, e.WebhookEnabled.of({ webhookId }), DAY(4)),
    ).then((found) => expect(found['webhooks']?.[webhookId]).to.deep.equal({ ...shown, updatedAt: DAY(4) })));

  it('shows a deleted one no more', () =>
    given(webhooks, created, past(stream, e.WebhookDeleted.of({ webhookId }), DAY(2))).then((found) =>
      expect(found['webhooks']).to.deep.equal({}),
    ));
});
