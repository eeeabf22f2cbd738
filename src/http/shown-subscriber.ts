// The subscriber as an answer shows it: read from the views once they show what was written.
import { Unavailable } from '../adapters/event-log/port.js';
import { isoFromMs } from '../domain/time.js';
import type { CustomerDoc } from '../projections/customers.js';
import type { Caller } from './authorize.js';
import { findSubscriber, rulesFor, transactionsOf } from './holdings.js';
import { presentSubscriber } from './present/subscriber.js';
import type { Input } from './route.js';
import type { Services } from './services.js';

type OnSubscriber = Pick<Input<{ appUserId: string }, unknown, unknown>, 'params' | 'scope' | 'caller'>;

export async function readSubscriber(services: Services, caller: Caller, doc: CustomerDoc) {
  const { views, runtime } = services;
  const { profile, firstSeenAt, lastSeenAt } = doc;
  const all = doc.hasOneTimePurchases ? await transactionsOf(views, doc.customerId) : [];
  const oneTime = all.filter((t) => t.subscriptionId === null);
  const rules = await rulesFor(services, doc.projectId, [profile]);
  const isPublic = caller.kind === 'key' && caller.keyKind === 'public';
  return presentSubscriber({
    profile,
    firstSeenAt,
    lastSeenAt,
    rules,
    oneTime,
    now: isoFromMs(runtime.now()),
    isPublic,
  });
}

export async function shownSubscriber(services: Services, { params, scope, caller }: OnSubscriber) {
  const doc = await findSubscriber(services, scope.projectId, params.appUserId);
  if (!doc) throw new Unavailable('the subscriber is stored but not readable yet; ask again', 1);
  return readSubscriber(services, caller, doc);
}
