// Performs the actions of a script as requests, and records their results in the journal.
import type { OperatorRequests } from '../../../src/adapters/operator-requests/port.js';
import { derivedUuid } from '../../../src/domain/ids.js';
import { SDK_HOST, type Process } from '../engine/process.js';
import type { LiveFeedClient } from '../engine/live-feed-client.js';
import type { Response } from '../engine/http.js';
import type { SimulatedStores } from '../engine/simulated-stores.js';
import type { Timeline } from '../engine/timeline.js';
import type { Client } from './client.js';
import { lifecycleKey, type Journal } from './journal.js';
import type { Action, Script } from './script.js';
import {
  isKey,
  logIn,
  createAccessRequest,
  findAccessViolation,
  type AccessChange,
  type AccessAttempt,
} from './team.js';
import type { Tenant, TenantName } from './tenant.js';

export type ActionContext = {
  readonly timeline: Timeline;
  readonly script: Script;
  readonly client: Client;
  readonly journal: Journal;
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  readonly stores: Readonly<Record<TenantName, SimulatedStores>>;
  /** Notifications that the stores send later. */
  readonly delayed: DelayedNotification[];
  readonly liveFeedClients: Readonly<Record<TenantName, LiveFeedClient>>;
  readonly operator: OperatorRequests;
  running(): readonly Process[];
};

/** `atMs`: when the store sends it, by a clock without skew (UTC ms). */
export type DelayedNotification = { readonly atMs: number; send(): Promise<void> };

/** An SDK keeps a receipt after 503; the run must not wait for it without end. */
const SDK_TRIES = 8;

const isAcknowledged = (response: Response | null): boolean => response !== null && response.status < 300;

/** Resolves when the client has a response or has given up. */
export async function performAction(stage: ActionContext, by: TenantName, act: Action, n: number): Promise<void> {
  const { client, journal, timeline, script } = stage;
  const tenant = stage.tenants[by];
  const key = tenant.secretKey;
  const once = `step-${n}`;
  const hooks = `/v1/projects/${tenant.projectId}/webhooks`;
  const hookPath = (hook: number) => `${hooks}/${tenant.hooks[hook]?.id ?? ''}`;
  const tries = 1 + (n % 4);
  switch (act.kind) {
    case 'store-event':
      return sendNotification(stage, by, act);
    case 'receipt':
      return submitReceipt(stage, by, act, once);
    case 'set-attribute': {
      const attributes = { note: { value: act.value, updatedAtMs: timeline.now() } };
      const response = await client.sendUntilAnswered(
        {
          method: 'POST',
          path: `${subscriberPath(act.user)}/attributes`,
          key,
          idempotencyKey: once,
          body: { attributes },
        },
        tries,
      );
      journal.attributes.push({ tenant: by, user: act.user, value: act.value, isAcked: isAcknowledged(response) });
      return;
    }
    case 'grant': {
      const body = { entitlementId: 'pro', duration: act.duration };
      const response = await client.sendUntilAnswered(
        { method: 'POST', path: `${subscriberPath(act.user)}/entitlements`, key, idempotencyKey: once, body },
        tries,
      );
      if (isAcknowledged(response))
        journal.grants.push({ tenant: by, user: act.user, grantId: response?.body.grant.id });
      return;
    }
    case 'revoke':
      await client.sendUntilAnswered(
        { method: 'DELETE', path: `${subscriberPath(act.user)}/entitlements/pro`, key },
        tries,
      );
      return;
    case 'custom-event': {
      const firstSentAtMs = timeline.now();
      const response = await client.sendUntilAnswered(
        {
          method: 'POST',
          path: '/v1/events',
          key,
          idempotencyKey: once,
          body: { appUserId: act.user, name: act.name },
        },
        tries,
      );
      journal.customEvents.push({
        tenant: by,
        user: act.user,
        name: act.name,
        firstSentAtMs,
        isAcked: isAcknowledged(response),
      });
      return;
    }
    case 'read':
      await client.sendUntilAnswered(
        { method: 'GET', path: subscriberPath(act.user), key: tenant.publicKeys.ios },
        tries,
      );
      return;
    case 'erase': {
      const response = await client.sendUntilAnswered({ method: 'DELETE', path: subscriberPath(act.user), key }, tries);
      journal.erasures.push({ tenant: by, user: act.user, isAcked: isAcknowledged(response) });
      return;
    }
    case 'toggle-webhook':
      await client.sendUntilAnswered(
        { method: 'PATCH', path: hookPath(act.hook), key, body: { enabled: act.enabled } },
        act.enabled ? undefined : tries,
      );
      return;
    case 'replay-webhook': {
      const from = new Date(timeline.now() - 3 * 86_400_000).toISOString();
      await client.sendUntilAnswered(
        {
          method: 'POST',
          path: `${hookPath(act.hook)}/replay`,
          key,
          body: { from, to: new Date(timeline.now()).toISOString() },
        },
        1,
      );
      return;
    }
    case 'follow-live-feed': {
      const there = stage.running();
      return stage.liveFeedClients[by].follow(act.forMs, there[n % Math.max(1, there.length)]);
    }
    case 'try-access':
      return tryAccess(stage, by, act);
    case 'revoke-access':
      return revokeAccess(stage, by, act.leaving);
    case 'operator-request':
      // On shared servers, CLI commands do their work without a request to the service.
      if (script.processes === 1) await performOperatorRequest(stage, act.request, once);
      return;
    case 'test-webhook':
      await client.sendUntilAnswered({ method: 'POST', path: `${hookPath(act.hook)}/test`, key, body: {} }, 1);
  }
}

/** Sends a store notification, perhaps days later and more than once, and repeats it until it is accepted. */
async function sendNotification(
  { timeline, script, client, journal, tenants, stores, delayed }: ActionContext,
  by: TenantName,
  act: Extract<Action, { kind: 'store-event' }>,
) {
  const lifecycle = script.lifecycles[by][act.lifecycle];
  const happening = lifecycle?.events[act.index];
  if (!lifecycle || !happening || !('willRenew' in happening)) return;
  const place = lifecycleKey(by, act.lifecycle);
  journal.storeEvents.set(place, [...(journal.storeEvents.get(place) ?? []), happening]);
  const { store, body } = await stores[by].applyEvent(lifecycle, act.index, happening);
  const path = tenants[by].notificationPaths[store];
  const send = async (afterMs: number) => {
    await new Promise<void>((resolve) => timeline.schedule(afterMs, resolve));
    const response = await client.sendUntilAnswered({ method: 'POST', path, body });
    if (!isAcknowledged(response))
      journal.violations.push(
        `a notification of ${place} was refused: ${response?.status} ${JSON.stringify(response?.body)}`,
      );
  };
  const sendAll = async () => {
    await Promise.all(
      Array.from({ length: act.copies }, (_, i) => send(act.lateMs + i * timeline.random.whole(0, 3000))),
    );
    journal.notifications.push({
      tenant: by,
      key: store === 'ios-store' ? `${by}-${lifecycle.index}-${act.index}` : `${lifecycle.index}-${act.index}`,
    });
  };
  if (act.heldMs > 0) delayed.push({ atMs: timeline.now() + act.heldMs, send: sendAll });
  else await sendAll();
}

/** Submits a receipt until it is accepted. An anonymous buyer logs in afterwards. */
async function submitReceipt(
  stage: ActionContext,
  by: TenantName,
  act: Extract<Action, { kind: 'receipt' }>,
  once: string,
) {
  const { script, client, journal, tenants, stores } = stage;
  const lifecycle = script.lifecycles[by][act.lifecycle];
  const happening = lifecycle?.events[act.index];
  const user = lifecycle?.appUserId;
  if (!lifecycle || happening?.kind !== 'receipt' || !user || happening.bought.offer === 'coins') return;
  const tenant = tenants[by];
  const receipt = stores[by].createReceipt(lifecycle, happening.bought);
  const key = receipt.store === 'ios-store' ? tenant.publicKeys.ios : tenant.publicKeys.android;
  const buyer = act.loggedInLater ? `$anon:${once}-${lifecycle.index}-00000000000000000000` : user;
  const submit = (name: string) =>
    client.sendUntilAnswered({
      method: 'POST',
      path: `${subscriberPath(buyer)}/receipts`,
      key,
      idempotencyKey: name,
      body: receipt,
    });
  // The SDK sends a receipt again from its queue, without an idempotency key.
  const submitBySdk = () =>
    client.sendUntilAnswered(
      {
        method: 'POST',
        path: '/v1/receipts',
        headers: { host: SDK_HOST, authorization: `Bearer ${key}` },
        body: { app_user_id: buyer, fetch_token: receipt.receipt, product_id: receipt.productId },
      },
      SDK_TRIES,
    );
  const isSdk = !includesErasure(script, by, user);
  const repeated = act.again ? [isSdk ? submitBySdk() : submit(`${once} again`)] : [];
  const sent = await Promise.all([submit(once), ...repeated]);
  // A repeat after the erasure of its customer must not create that customer again.
  if (sent.some((response) => isErasedRejection(response)) && includesErasure(script, by, user)) return;
  const refused = sent.find((response) => !isAcknowledged(response));
  if (refused)
    journal.violations.push(`a receipt of ${user} was refused: ${refused?.status} ${JSON.stringify(refused?.body)}`);
  if (act.loggedInLater) await identifyBuyer(stage, by, { buyer, user, key, once });
  journal.receiptOwners.set(`${lifecycleKey(by, act.lifecycle)} ${happening.bought.chainId}`, user);
}

function isErasedRejection(response: Response | null): boolean {
  return response?.status === 409 && String(response.body.message).includes('was erased since it was first sent');
}

function includesErasure({ steps }: Script, by: TenantName, user: string): boolean {
  return steps.some((step) => step.by === by && step.act.kind === 'erase' && step.act.user === user);
}

type AnonymousBuyer = { readonly buyer: string; readonly user: string; readonly key: string; readonly once: string };

/** Records an event and a grant before the login and repeats both afterwards, with or without a response to the first. */
async function identifyBuyer(
  { timeline, client, journal, tenants }: ActionContext,
  by: TenantName,
  { buyer, user, key, once }: AnonymousBuyer,
): Promise<void> {
  const firstSentAtMs = timeline.now();
  const event = { appUserId: buyer, name: `before-${once}`, eventId: derivedUuid(`before|${once}`) };
  const record = () => client.sendUntilAnswered({ method: 'POST', path: '/v1/events', key, body: event }, 2);
  const welcome = {
    method: 'POST',
    path: `${subscriberPath(buyer)}/entitlements`,
    key: tenants[by].secretKey,
    once: `welcome ${once}`,
    body: { entitlementId: 'pro', duration: 'weekly' },
  } as const;
  const [first] = await Promise.all([record(), client.sendUntilAnswered(welcome, 1)]);
  await client.sendUntilAnswered({
    method: 'POST',
    path: subscriberPath(user),
    key,
    body: { previousAppUserId: buyer },
  });
  const [again, granted] = await Promise.all([record(), client.sendUntilAnswered(welcome)]);
  const isAcked = [first, again].some(isAcknowledged);
  if (isAcknowledged(granted)) journal.grants.push({ tenant: by, user, grantId: granted?.body.grant.id });
  journal.customEvents.push({ tenant: by, user, name: event.name, firstSentAtMs, isAcked });
}

const MAX_MEMBER_TRIES = 3;

/** Tries one access. Members log in first, as their session may have expired. */
async function tryAccess(
  { client, journal, tenants }: ActionContext,
  by: TenantName,
  attempt: AccessAttempt,
): Promise<void> {
  const own = tenants[by];
  const { projectId } = attempt.isOtherProject ? tenants[by === 'acme' ? 'bert' : 'acme'] : own;
  const request = createAccessRequest(attempt, projectId);
  if (!request) return;
  const { who } = attempt;
  const token = isKey(who) ? null : await logIn(client, own.members[who], MAX_MEMBER_TRIES);
  const credentials = isKey(who) ? { key: own.scopedKeys[who].key } : token !== null && { token };
  if (!credentials) return;
  const response = await client.send({ ...request, ...credentials });
  const violation = response && findAccessViolation(attempt, response);
  if (violation) journal.violations.push(`${by} ${violation}`);
}

async function revokeAccess(
  { client, journal, tenants }: ActionContext,
  by: TenantName,
  leaving: AccessChange,
): Promise<void> {
  const { projectId, owner, members, scopedKeys } = tenants[by];
  const token = await logIn(client, owner, MAX_MEMBER_TRIES);
  if (!token) return;
  const key = { method: 'DELETE', path: `/v1/projects/${projectId}/api-keys/${scopedKeys.goer.id}` };
  if (isAcknowledged(await client.sendUntilAnswered({ ...key, token }, MAX_MEMBER_TRIES))) journal.deletedKeys.push(by);
  const path = `/v1/projects/${projectId}/members/${members.leaver.userId}`;
  const asked =
    leaving === 'removed' ? { method: 'DELETE', path } : { method: 'PATCH', path, body: { role: 'viewer' } };
  if (isAcknowledged(await client.sendUntilAnswered({ ...asked, token }, MAX_MEMBER_TRIES)))
    journal.formerAdmins.push({ tenant: by, leaving });
}

const POLL_MS = 500;
/** Limit for requests that fail because a store is unavailable. */
const MAX_TRIES = 40;

/** Submits an operator request until it succeeds, each time with a new ID. */
async function performOperatorRequest(
  { operator, timeline, journal }: ActionContext,
  request: { readonly kind: string },
  once: string,
): Promise<void> {
  const wait = () => new Promise<void>((resolve) => timeline.schedule(POLL_MS, resolve));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const id = `${once}-${tries}`;
    await operator.submit(id, request);
    let reply = await operator.takeReply(id);
    for (; reply === undefined; reply = await operator.takeReply(id)) await wait();
    if ('result' in reply) return;
    await wait();
  }
  journal.violations.push(`the operator's ${request.kind} of ${once} never succeeded`);
}

function subscriberPath(user: string): string {
  return `/v1/subscribers/${encodeURIComponent(user)}`;
}
