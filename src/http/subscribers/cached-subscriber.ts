// Body of a known subscriber for reads: from the cache, or rendered and cached. The cached text excludes the date of the request.
import { customerId } from '../../domain/ids.js';
import { nextChangeAfter } from '../../domain/subscriber/access.js';
import { earliest, isoFromMs, utcDay } from '../../domain/time.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { etagOfText } from '../dispatch/respond.js';
import { ReadyJson } from '../bodies/send-json.js';
import { followMerges } from '../customers/read-customer.js';
import type { Caller } from '../dispatch/caller.js';
import { viewOf, type CacheKey } from '../caches/response-cache.js';
import type { Input, AuthorizedRequest } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { presentCustomerAsSubscriber } from './present-subscriber.js';

type CacheableRequest = Pick<
  Input<{ appUserId: string }, unknown, unknown>,
  'params' | 'scope' | 'caller' | 'sight' | 'leaveOut'
>;

/** Format of a subscriber's body in one interface. All formats share one cache entry, so that a write drops them together. */
export type SubscriberFormat = {
  /** Distinguishes its texts from those of other formats. */
  readonly view: string;
  /** Its bodies have an entity tag, which ignores the date of the request. */
  readonly hasTag: boolean;
  /** Returns the beginning of the text, which contains the date of the request. */
  startAt(now: string): string;
  read(services: Services, caller: Caller, doc: CustomerDoc, now: string): Promise<object>;
  /** False if the body is made of documents that can change without a write to the customer's. */
  isCacheable(services: Services, doc: CustomerDoc): boolean;
};

export const restFormat: SubscriberFormat = {
  view: '',
  hasTag: false,
  startAt: (now) => `{"requestDate":"${now}",`,
  read: presentCustomerAsSubscriber,
  // One-time purchases are documents of their own.
  isCacheable: (_services, doc) => !doc.hasOneTimePurchases,
};

/** Returns the cached body. Undefined if other processes write too: then the guard of the customer has to be read first. */
export function cachedSubscriber(
  services: Services,
  request: AuthorizedRequest,
  format: SubscriberFormat,
): ReadyJson | undefined {
  return findText(services, cacheKeyOf(request, request.params['appUserId'] ?? '', format), format);
}

/**
 * Returns undefined for an unknown subscriber. `noteSeen` is called before a body is rendered; a cached body belongs to a customer who was
 * already seen that day.
 */
export async function renderSubscriber(
  services: Services,
  request: CacheableRequest,
  format: SubscriberFormat,
  noteSeen: (doc: CustomerDoc) => Promise<void>,
): Promise<ReadyJson | undefined> {
  const { subscriberResponses, deps, readModels, runtime } = services;
  const { params, scope, caller, leaveOut } = request;
  const key = cacheKeyOf(request, params.appUserId, format);
  const id = customerId(deps.hash, scope.projectId, params.appUserId);
  const cached = findText(services, key, format);
  if (cached) return cached;
  return subscriberResponses.render(key, id, async (store) => {
    const found = await readModels.getGuarded(customers, id);
    const doc = await followMerges(readModels, found?.doc);
    if (!found || doc?.profile.status !== 'known') return undefined;
    const { guard } = found;
    const shared = subscriberResponses.isShared ? findText(services, key, format, guard) : undefined;
    if (shared) return shared;
    await noteSeen(doc);
    const from = isoFromMs(runtime.now());
    const text = JSON.stringify(leaveOut(await format.read(services, caller, doc, from)));
    const start = format.startAt(from);
    const rest = text.slice(start.length);
    // The document of a merged customer is another one, which does not invalidate this text.
    if (doc === found.doc && format.isCacheable(services, doc) && text.startsWith(start))
      store({ value: rest, from, until: validUntil(doc, from), guard });
    return readyJson(start, rest, format);
  });
}

function findText(
  { subscriberResponses, runtime }: Services,
  key: CacheKey,
  format: SubscriberFormat,
  guard?: string,
): ReadyJson | undefined {
  const now = isoFromMs(runtime.now());
  const rest = subscriberResponses.find(key, now, guard);
  return rest === undefined ? undefined : readyJson(format.startAt(now), rest, format);
}

function readyJson(start: string, rest: string, { hasTag }: SubscriberFormat): ReadyJson {
  return new ReadyJson(start + rest, hasTag ? etagOfText(rest) : undefined);
}

/**
 * Returns the end of the day, when the next read records the last-seen time, or the time of the next change of access if that is earlier.
 */
function validUntil({ profile, lastSeenAt }: CustomerDoc, now: string): string {
  const dayEnds = `${utcDay(lastSeenAt)}T23:59:59.999Z`;
  const next = nextChangeAfter(now, profile);
  return next === null ? dayEnds : earliest(dayEnds, next);
}

function cacheKeyOf(
  { scope, caller, sight }: Pick<AuthorizedRequest, 'scope' | 'caller' | 'sight'>,
  appUserId: string,
  { view }: SubscriberFormat,
): CacheKey {
  return { name: `${scope.projectId}|${appUserId}`, view: view + viewOf(caller, sight) };
}
