// State of a webhook in words: since when it has been failing, or why nothing is sent to it.
import type { Schemas } from '../api/client';
import { Time } from '../parts/time';

export type Webhook = Schemas['Webhook'];
export type FailingWebhook = Schemas['SetupStatus']['evidence']['failingWebhooks'][number];

const DISABLED_REASONS = {
  gone: 'disabled: the receiver returned 410 Gone',
  failures: 'disabled: it failed for several days',
  user: 'disabled',
} as const;

export function WebhookState({
  webhook,
  failing,
}: {
  readonly webhook: Webhook;
  readonly failing?: FailingWebhook | undefined;
}) {
  const { enabled, disabledReason, lastDelivery } = webhook;
  if (!enabled) return <span class="badge bad">{disabledReason ? DISABLED_REASONS[disabledReason] : 'off'}</span>;
  if (failing) {
    return (
      <>
        <span class="badge bad">failing</span> since <Time at={failing.since} />
      </>
    );
  }
  return <span class={`badge ${lastDelivery ? 'good' : ''}`}>{lastDelivery ? 'on' : 'on, nothing sent yet'}</span>;
}
