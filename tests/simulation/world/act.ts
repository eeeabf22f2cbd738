// Performs the actions of a script as requests, and records their results in the journal.
import type { OperatorRequests } from '../../../src/adapters/operator-requests/port.js';
import { derivedUuid } from '../../../src/domain/ids.js';
import type { Process } from '../engine/process.js';
import type { Viewer } from '../engine/viewer.js';
import type { Response } from '../engine/http.js';
import type { Shops } from '../engine/shops.js';
import type { Timeline } from '../engine/timeline.js';
import type { Client } from './client.js';
import { placeOf, type Journal } from './journal.js';
import type { Act, Script } from './script.js';
import { isKey, logIn, requestOf, wrongIn, type Leaving, type Peek } from './team.js';
import type { Tenant, TenantName } from './tenant.js';

export type Stage = {
  readonly timeline: Timeline;
  readonly script: Script;
  readonly client: Client;
  readonly journal: Journal;
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  readonly shops: Readonly<Record<TenantName, Shops>>;
  /** Notifications that the stores send later. */
  readonly held: Held[];
  readonly viewers: Readonly<Record<TenantName, Viewer>>;
  readonly operator: OperatorRequests;
  serving(): readonly Process[];
};

/** `atMs`: when the store sends it, by a clock without skew (UTC ms). */
export type Held = { readonly atMs: number; send(): Promise<void> };

const isDone = (response: Response | null): boolean => response !== null && response.status < 300;

/** Resolves when the client has a response or has given up. */
export async function perform(stage: Stage, by: TenantName, act: Act, n: number): Promise<void> {
  const { client, journal, timeline, script } = stage;
  const tenant = stage.tenants[by];
  const key = tenant.secretKey;
  const once = `step-${n}`;
  const hooks = `/v1/projects/${tenant.projectId}/webhooks`;
  const hookPath = (hook: number) => `${hooks}/${tenant.hooks[hook]?.id ?? ''}`;
  const tries = 1 + (n % 4);
  switch (act.kind) {
    case 'store-event':
      return notify(stage, by, act);
    case 'receipt':
      return present(stage, by, act, once);
    case 'set-attribute': {
      const attributes = { note: { value: act.value, updatedAtMs: timeline.now() } };
      const response = await client.insist(
        { method: 'POST', path: `${pathOf(act.user)}/attributes`, key, once, body: { attributes } },
        tries,
      );
      journal.described.push({ tenant: by, user: act.user, value: act.value, isAcked: isDone(response) });
      return;
    }
    case 'grant': {
      const body = { entitlementId: 'pro', duration: act.duration };
      const response = await client.insist(
        { method: 'POST', path: `${pathOf(act.user)}/entitlements`, key, once, body },
        tries,
      );
      if (isDone(response)) journal.grants.push({ tenant: by, user: act.user, grantId: response?.body.grant.id });
      return;
    }
    case 'revoke':
      await client.insist({ method: 'DELETE', path: `${pathOf(act.user)}/entitlements/pro`, key }, tries);
      return;
    case 'custom-event': {
      const askedAtMs = timeline.now();
      const response = await client.insist(
        { method: 'POST', path: '/v1/events', key, once, body: { appUserId: act.user, name: act.name } },
        tries,
      );
      journal.recorded.push({ tenant: by, user: act.user, name: act.name, askedAtMs, isAcked: isDone(response) });
      return;
    }
    case 'read':
      await client.insist({ method: 'GET', path: pathOf(act.user), key: tenant.publicKeys.ios }, tries);
      return;
    case 'erase': {
      const response = await client.insist({ method: 'DELETE', path: pathOf(act.user), key }, tries);
      journal.erased.push({ tenant: by, user: act.user, isAcked: isDone(response) });
      return;
    }
    case 'toggle-webhook':
      await client.insist(
        { method: 'PATCH', path: hookPath(act.hook), key, body: { enabled: act.enabled } },
        act.enabled ? undefined : tries,
      );
      return;
    case 'replay-webhook': {
      const from = new Date(timeline.now() - 3 * 86_400_000).toISOString();
      await client.insist(
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
      const there = stage.serving();
      return stage.viewers[by].watch(act.forMs, there[n % Math.max(1, there.length)]);
    }
    case 'try-access':
      return peek(stage, by, act);
    case 'revoke-access':
      return leave(stage, by, act.leaving);
    case 'operator-request':
      // On shared servers, CLI commands do their work without a request to the service.
      if (script.processes === 1) await operate(stage, act.request, once);
      return;
    case 'test-webhook':
      await client.insist({ method: 'POST', path: `${hookPath(act.hook)}/test`, key, body: {} }, 1);
  }
}

/** Sends a store notification, perhaps days later and more than once, and repeats it until it is accepted. */
async function notify(
  { timeline, script, client, journal, tenants, shops, held }: Stage,
  by: TenantName,
  act: Extract<Act, { kind: 'store-event' }>,
) {
  const lifecycle = script.lifecycles[by][act.lifecycle];
  const happening = lifecycle?.happenings[act.index];
  if (!lifecycle || !happening || !('willRenew' in happening)) return;
  const place = placeOf(by, act.lifecycle);
  journal.happened.set(place, [...(journal.happened.get(place) ?? []), happening]);
  const { store, body } = await shops[by].happen(lifecycle, act.index, happening);
  const path = tenants[by].notificationPaths[store];
  const send = async (afterMs: number) => {
    await new Promise<void>((resolve) => timeline.after(afterMs, resolve));
    const response = await client.insist({ method: 'POST', path, body });
    if (!isDone(response))
      journal.faults.push(
        `a notification of ${place} was refused: ${response?.status} ${JSON.stringify(response?.body)}`,
      );
  };
  const sendAll = async () => {
    await Promise.all(
      Array.from({ length: act.copies }, (_, i) => send(act.lateMs + i * timeline.random.whole(0, 3000))),
    );
    journal.notified.push({
      tenant: by,
      key: store === 'ios-store' ? `${by}-${lifecycle.index}-${act.index}` : `${lifecycle.index}-${act.index}`,
    });
  };
  if (act.heldMs > 0) held.push({ atMs: timeline.now() + act.heldMs, send: sendAll });
  else await sendAll();
}

/** Submits a receipt until it is accepted. An anonymous buyer logs in afterwards. */
async function present(stage: Stage, by: TenantName, act: Extract<Act, { kind: 'receipt' }>, once: string) {
  const { script, client, journal, tenants, shops } = stage;
  const lifecycle = script.lifecycles[by][act.lifecycle];
  const happening = lifecycle?.happenings[act.index];
  const user = lifecycle?.appUserId;
  if (!lifecycle || happening?.kind !== 'receipt' || !user || happening.bought.offer === 'coins') return;
  const tenant = tenants[by];
  const receipt = shops[by].receiptOf(lifecycle, happening.bought);
  const key = receipt.store === 'ios-store' ? tenant.publicKeys.ios : tenant.publicKeys.android;
  const buyer = act.loggedInLater ? `$anon:${once}-${lifecycle.index}-00000000000000000000` : user;
  const submit = (name: string) =>
    client.insist({ method: 'POST', path: `${pathOf(buyer)}/receipts`, key, once: name, body: receipt });
  const sent = await Promise.all([submit(once), ...(act.again ? [submit(`${once} again`)] : [])]);
  // A repeat after the erasure of its customer must not create that customer again.
  if (sent.some((response) => refusesErased(response)) && erases(script, by, user)) return;
  const refused = sent.find((response) => !isDone(response));
  if (refused)
    journal.faults.push(`a receipt of ${user} was refused: ${refused?.status} ${JSON.stringify(refused?.body)}`);
  if (act.loggedInLater) await becomeKnown(stage, by, { buyer, user, key, once });
  journal.presented.set(`${placeOf(by, act.lifecycle)} ${happening.bought.chainId}`, user);
}

function refusesErased(response: Response | null): boolean {
  return response?.status === 409 && String(response.body.message).includes('was erased since it was first sent');
}

function erases({ steps }: Script, by: TenantName, user: string): boolean {
  return steps.some((step) => step.by === by && step.act.kind === 'erase' && step.act.user === user);
}

type Buyer = { readonly buyer: string; readonly user: string; readonly key: string; readonly once: string };

/** Records an event and a grant before the login and repeats both afterwards, with or without a response to the first. */
async function becomeKnown(
  { timeline, client, journal, tenants }: Stage,
  by: TenantName,
  { buyer, user, key, once }: Buyer,
): Promise<void> {
  const askedAtMs = timeline.now();
  const event = { appUserId: buyer, name: `before-${once}`, eventId: derivedUuid(`before|${once}`) };
  const record = () => client.insist({ method: 'POST', path: '/v1/events', key, body: event }, 2);
  const welcome = {
    method: 'POST',
    path: `${pathOf(buyer)}/entitlements`,
    key: tenants[by].secretKey,
    once: `welcome ${once}`,
    body: { entitlementId: 'pro', duration: 'weekly' },
  } as const;
  const [first] = await Promise.all([record(), client.insist(welcome, 1)]);
  await client.insist({ method: 'POST', path: pathOf(user), key, body: { previousAppUserId: buyer } });
  const [again, granted] = await Promise.all([record(), client.insist(welcome)]);
  const isAcked = [first, again].some(isDone);
  if (isDone(granted)) journal.grants.push({ tenant: by, user, grantId: granted?.body.grant.id });
  journal.recorded.push({ tenant: by, user, name: event.name, askedAtMs, isAcked });
}

const MEMBER_TRIES = 3;

/** Tries one access. Members log in first, as their session may have expired. */
async function peek({ client, journal, tenants }: Stage, by: TenantName, asked: Peek): Promise<void> {
  const own = tenants[by];
  const { projectId } = asked.elsewhere ? tenants[by === 'acme' ? 'bert' : 'acme'] : own;
  const request = requestOf(asked, projectId);
  if (!request) return;
  const { who } = asked;
  const token = isKey(who) ? null : await logIn(client, own.members[who], MEMBER_TRIES);
  const as = isKey(who) ? { key: own.scopedKeys[who].key } : token !== null && { token };
  if (!as) return;
  const response = await client.ask({ ...request, ...as });
  const wrong = response && wrongIn(asked, response);
  if (wrong) journal.faults.push(`${by} ${wrong}`);
}

async function leave({ client, journal, tenants }: Stage, by: TenantName, leaving: Leaving): Promise<void> {
  const { projectId, owner, members, scopedKeys } = tenants[by];
  const token = await logIn(client, owner, MEMBER_TRIES);
  if (!token) return;
  const key = { method: 'DELETE', path: `/v1/projects/${projectId}/api-keys/${scopedKeys.goer.id}` };
  if (isDone(await client.insist({ ...key, token }, MEMBER_TRIES))) journal.deletedKeys.push(by);
  const path = `/v1/projects/${projectId}/members/${members.leaver.userId}`;
  const asked =
    leaving === 'removed' ? { method: 'DELETE', path } : { method: 'PATCH', path, body: { role: 'viewer' } };
  if (isDone(await client.insist({ ...asked, token }, MEMBER_TRIES))) journal.left.push({ tenant: by, leaving });
}

const LOOK_MS = 500;
/** Limit for requests that fail because a store is unavailable. */
const MAX_TRIES = 40;

/** Submits an operator request until it succeeds, each time with a new ID. */
async function operate(
  { operator, timeline, journal }: Stage,
  request: { readonly kind: string },
  once: string,
): Promise<void> {
  const wait = () => new Promise<void>((resolve) => timeline.after(LOOK_MS, resolve));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const id = `${once}-${tries}`;
    await operator.submit(id, request);
    let reply = await operator.takeReply(id);
    for (; reply === undefined; reply = await operator.takeReply(id)) await wait();
    if ('result' in reply) return;
    await wait();
  }
  journal.faults.push(`the operator's ${request.kind} of ${once} never succeeded`);
}

function pathOf(user: string): string {
  return `/v1/subscribers/${encodeURIComponent(user)}`;
}
