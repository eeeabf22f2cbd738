// Reads of a subscriber, in every interface: from the cache, or rendered and cached. The cached text excludes the date of the request.
import { registerSubscriber } from '../../commands/subscribers/subscribers.js';
import { customerId } from '../../domain/ids.js';
import { unknownDevice, type Device } from '../../domain/subscriber/state/activity.js';
import { nextChangeAfter } from '../../domain/subscriber/access.js';
import { earliest, isoFromMs, utcDay } from '../../domain/time.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { etagOfText } from '../dispatch/respond.js';
import { ReadyJson } from '../bodies/send-json.js';
import { followMerges } from '../customers/read-customer.js';
import { ownAppIdOf, type Caller } from '../dispatch/caller.js';
import { viewOf, type CacheKey } from '../caches/response-cache.js';
import {
  readModelsAt,
  type AuthorizedRequest,
  type CachedBody,
  type Input,
  type RouteResponse,
} from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { recordVisit } from './last-seen.js';
import { presentCustomerAsSubscriber, readWritten, subscriberNotFoundError } from './present-subscriber.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { subscriberResponse } from './responses.js';

type SubscriberInput = Input<{ appUserId: string }, unknown, unknown>;

/** Format of a subscriber's body in one interface. All formats share one cache entry, so that a write drops them together. */
export type SubscriberFormat<Body extends object> = {
  /** Distinguishes its texts from those of other formats. */
  readonly view: string;
  /** Its bodies depend on the app that a public key is for. */
  readonly isOfApp: boolean;
  /** Its bodies have an entity tag, which ignores the date of the request. */
  readonly hasTag: boolean;
  /** Returns the beginning of the text, which contains the date of the request. */
  startAt(now: string): string;
  /** Device of the request, as far as the interface states it. */
  deviceOf(input: Pick<SubscriberInput, 'header'>): Device;
  /** Status of the response that creates the subscriber. */
  readonly createdStatus: 200 | 201;
  read(services: Services, caller: Caller, doc: CustomerDoc, now: string): Promise<Body>;
  /** False if the body is made of documents that can change without a write to the customer's. */
  isCacheable(services: Services, doc: CustomerDoc): boolean;
};

export const restFormat: SubscriberFormat<BodyOf<typeof subscriberResponse>> = {
  view: '',
  isOfApp: false,
  hasTag: false,
  startAt: (now) => `{"requestDate":"${now}",`,
  deviceOf: () => unknownDevice,
  createdStatus: 200,
  read: presentCustomerAsSubscriber,
  // One-time purchases are documents of their own.
  isCacheable: (_services, doc) => !doc.hasOneTimePurchases,
};

/** Returns the cached body. Undefined if other processes write too: then the guard of the customer has to be read first. */
export function cachedSubscriber(
  services: Services,
  request: AuthorizedRequest,
  format: SubscriberFormat<object>,
): CachedBody | undefined {
  const body = findText(services, cacheKeyOf(request, request.params['appUserId'] ?? '', format), format);
  return body && { body, etag: format.hasTag };
}

/** Responds to a read of a subscriber, who is created if unknown. Throws {@link HttpError} 404 if the request must not write. */
export async function getSubscriber<Body extends object>(
  services: Services,
  input: SubscriberInput,
  format: SubscriberFormat<Body>,
): Promise<RouteResponse<Body>> {
  const { deps, runtime } = services;
  const { params, scope, by, caller, mayWrite } = input;
  const rendered = await renderSubscriber(services, input, format);
  if (rendered) return { body: rendered, etag: format.hasTag };
  if (!mayWrite) throw subscriberNotFoundError();
  const introduction = { source: 'sdk' as const, ...format.deviceOf(input) };
  const registered = await registerSubscriber(deps, by, scope.projectId, params.appUserId, introduction);
  const present = async () => {
    const doc = await readWritten(services, scope.projectId, params.appUserId);
    return format.read(services, caller, doc, isoFromMs(runtime.now()));
  };
  return { status: format.createdStatus, body: present, after: readModelsAt(registered.position, customers) };
}

/** Returns undefined for an unknown subscriber. A cached body belongs to a customer who was already seen that day. */
async function renderSubscriber(
  services: Services,
  input: SubscriberInput,
  format: SubscriberFormat<object>,
): Promise<ReadyJson | undefined> {
  const { subscriberResponses, deps, readModels, runtime } = services;
  const { params, scope, caller, redact } = input;
  const key = cacheKeyOf(input, params.appUserId, format);
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
    if (input.mayWrite) await recordVisit(services, input, doc, format.deviceOf(input));
    const from = isoFromMs(runtime.now());
    const text = JSON.stringify(redact(await format.read(services, caller, doc, from)));
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
  format: SubscriberFormat<object>,
  guard?: string,
): ReadyJson | undefined {
  const now = isoFromMs(runtime.now());
  const rest = subscriberResponses.find(key, now, guard);
  return rest === undefined ? undefined : readyJson(format.startAt(now), rest, format);
}

function readyJson(start: string, rest: string, { hasTag }: SubscriberFormat<object>): ReadyJson {
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
  { scope, caller, visibility }: Pick<AuthorizedRequest, 'scope' | 'caller' | 'visibility'>,
  appUserId: string,
  { view, isOfApp }: SubscriberFormat<object>,
): CacheKey {
  const appId = (isOfApp && ownAppIdOf(caller)) || '';
  return { name: `${scope.projectId}|${appUserId}`, view: view + viewOf(caller, visibility) + appId };
}
