// The demo's webhook: a receiver on loopback that checks the signature of each webhook and prints the result.
import { requireData, type Client } from '#simulator/client.js';
import type { SimulatedProject } from '#simulator/project.js';
import { startWebhookReceiver, type ReceivedWebhook, type WebhookReceiver } from '#simulator/webhook-receiver.js';

export type DemoWebhook = { readonly receiver: WebhookReceiver; first(): Promise<ReceivedWebhook> };

/** `onReceived` is called for every webhook after the first. */
export async function startDemoReceiver(onReceived: (webhook: ReceivedWebhook) => void): Promise<DemoWebhook> {
  let resolveFirst: (webhook: ReceivedWebhook) => void = () => undefined;
  const first = new Promise<ReceivedWebhook>((resolve) => (resolveFirst = resolve));
  let isFirst = true;
  const receiver = await startWebhookReceiver((webhook) => {
    if (isFirst) resolveFirst(webhook);
    else onReceived(webhook);
    isFirst = false;
  });
  return { receiver, first: () => first };
}

/** Creates the webhook after the simulation, so that past events are not sent, and sends a test event. */
export async function tryWebhook(
  { as }: Client,
  { projectId, secretKey }: SimulatedProject,
  { receiver, first }: DemoWebhook,
): Promise<ReceivedWebhook> {
  const api = as({ key: secretKey });
  const params = { path: { id: projectId } };
  const webhook = requireData(await api.POST('/v1/projects/{id}/webhooks', { params, body: { url: receiver.url } }));
  receiver.trust(webhook.secret ?? '');
  const path = { id: projectId, wid: webhook.id };
  requireData(await api.POST('/v1/projects/{id}/webhooks/{wid}/test', { params: { path } }));
  return first();
}

export function webhookLine({ type, appUserId, isSigned }: ReceivedWebhook): string {
  return `${type}${appUserId === null ? '' : ` of ${appUserId}`}, signature ${isSigned ? 'valid' : 'INVALID'}`;
}
