// The subscriber as an answer shows it: read from the read models once they show what was written.
import { Unavailable } from '../../domain/errors.js';
import { registerSubscriber } from '../../commands/subscribers/subscribers.js';
import { customerId } from '../../domain/ids.js';
import { isoFromMs } from '../../domain/time.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { apps } from '../../projections/models/projects.js';
import { customerAsOf } from '../customers/as-of.js';
import type { Caller } from '../dispatch/caller.js';
import { waitForReadModels } from '../dispatch/consistency.js';
import { HttpError } from '../bodies/errors.js';
import { findSubscriber, rulesFor, transactionsOf } from '../customers/holdings.js';
import { presentSubscriber } from './present.js';
import type { Input } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';

type Asked = Input<{ appUserId: string }, unknown, unknown>;
type OnSubscriber = Pick<Asked, 'params' | 'scope' | 'caller'>;

export async function readSubscriber(services: Services, caller: Caller, doc: CustomerDoc) {
  const { readModels, runtime } = services;
  const { profile, firstSeenAt, lastSeenAt } = doc;
  const all = doc.hasOneTimePurchases ? await transactionsOf(readModels, doc.customerId) : [];
  const oneTime = all.filter((t) => t.subscriptionId === null);
  const rules = await rulesFor(services, doc.projectId, [profile]);
  const isPublic = isPublicKey(caller);
  return presentSubscriber({
    profile,
    firstSeenAt,
    lastSeenAt,
    rules,
    oneTime,
    now: isoFromMs(runtime.now()),
    isPublic,
    packageOf: await packagesOf(services, profile),
  });
}

/** As it was known at an instant; nobody is made by looking back. */
export async function subscriberAsOf(services: Services, { params, scope, caller }: OnSubscriber, asOf: string) {
  const id = customerId(services.deps.hash, scope.projectId, params.appUserId);
  const { doc, transactions, rules } = await customerAsOf(services, scope.projectId, id, asOf);
  const { profile, firstSeenAt, lastSeenAt } = doc;
  const oneTime = transactions.filter((t) => t.subscriptionId === null);
  return presentSubscriber({
    profile,
    firstSeenAt,
    lastSeenAt,
    rules,
    oneTime,
    now: asOf,
    isPublic: isPublicKey(caller),
    packageOf: await packagesOf(services, profile),
  });
}

async function packagesOf({ cached }: Services, { subscriptions }: Profile) {
  const android = subscriptions.filter((s) => s.purchase.store === 'android-store').map((s) => s.purchase.appId);
  const found = await cached.getMany(apps, [...new Set(android)]);
  return (appId: string) => found.get(appId)?.storeIdentifier;
}

function isPublicKey(caller: Caller): boolean {
  return caller.kind === 'key' && caller.keyKind === 'public';
}

export function unknownSubscriber(): HttpError {
  return new HttpError(404, 'no such subscriber; a request that may write makes it');
}

/** The document of a subscriber, who is made if unknown. Throws {@link HttpError} 404 where nothing may be written. */
export async function knownSubscriber(
  services: Services,
  { params: { appUserId }, scope: { projectId }, by, mayWrite }: OnSubscriber & Pick<Asked, 'by' | 'mayWrite'>,
): Promise<CustomerDoc> {
  const doc = await findSubscriber(services, projectId, appUserId);
  if (doc && doc.profile.status === 'known') return doc;
  if (!mayWrite) throw unknownSubscriber();
  const made = await registerSubscriber(services.deps, by, projectId, appUserId, { source: 'sdk' });
  await waitForReadModels(services, made.position ?? undefined, [customers]);
  const written = await findSubscriber(services, projectId, appUserId);
  if (!written) throw new Unavailable('the subscriber is stored but not readable yet; ask again', 1);
  return written;
}

export async function shownSubscriber(services: Services, { params, scope, caller }: OnSubscriber) {
  const doc = await findSubscriber(services, scope.projectId, params.appUserId);
  if (!doc) throw new Unavailable('the subscriber is stored but not readable yet; ask again', 1);
  return readSubscriber(services, caller, doc);
}
