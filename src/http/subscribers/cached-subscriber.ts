// The body of a known subscriber for a request that reads: cached, or rendered and cached. The text is cached without the date of the request.
import { customerId } from '../../domain/ids.js';
import { nextChangeAfter } from '../../domain/subscriber/access.js';
import { earliest, isoFromMs, utcDay } from '../../domain/time.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { ReadyJson } from '../bodies/send-json.js';
import { survivor } from '../customers/holdings.js';
import { viewOf, type CacheKey } from '../dispatch/response-cache.js';
import type { Input, RequestHead } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { readSubscriber } from './shown-subscriber.js';

type SubscriberRequest = Pick<
  Input<{ appUserId: string }, unknown, unknown>,
  'params' | 'scope' | 'caller' | 'sight' | 'leaveOut'
>;

const startAt = (requestDate: string) => `{"requestDate":"${requestDate}",`;

/** None where other processes write too: there the customer's guard has to be read first. */
export function cachedSubscriber(services: Services, request: RequestHead): ReadyJson | undefined {
  return findText(services, keyOf(request, request.params['appUserId'] ?? ''));
}

/**
 * Undefined for an unknown subscriber. `noteSeen` is called before a body is rendered; a cached body is of a customer who was seen that
 * day.
 */
export async function renderSubscriber(
  services: Services,
  request: SubscriberRequest,
  noteSeen: (doc: CustomerDoc) => Promise<void>,
): Promise<object | undefined> {
  const { subscriberResponses, deps, readModels } = services;
  const { params, scope, caller, leaveOut } = request;
  const key = keyOf(request, params.appUserId);
  const id = customerId(deps.hash, scope.projectId, params.appUserId);
  const cached = findText(services, key);
  if (cached) return cached;
  return subscriberResponses.render(key, id, async (store) => {
    const found = await readModels.getGuarded(customers, id);
    const doc = await survivor(readModels, found?.doc);
    if (!found || doc?.profile.status !== 'known') return undefined;
    const { guard } = found;
    const shared = subscriberResponses.isShared ? findText(services, key, guard) : undefined;
    if (shared) return shared;
    await noteSeen(doc);
    const body = await readSubscriber(services, caller, doc);
    // A merged customer is another's document; one-time purchases are documents of their own.
    if (doc !== found.doc || doc.hasOneTimePurchases) return body;
    const text = JSON.stringify(leaveOut(body));
    const from = body.requestDate;
    const start = startAt(from);
    if (text.startsWith(start)) store({ value: text.slice(start.length), from, until: validUntil(doc, from), guard });
    return new ReadyJson(text);
  });
}

function findText({ subscriberResponses, runtime }: Services, key: CacheKey, guard?: string): ReadyJson | undefined {
  const now = isoFromMs(runtime.now());
  const rest = subscriberResponses.find(key, now, guard);
  return rest === undefined ? undefined : new ReadyJson(startAt(now) + rest);
}

/** The first sight on another day is noted, and access may change before. */
function validUntil({ profile, lastSeenAt }: CustomerDoc, now: string): string {
  const dayEnds = `${utcDay(lastSeenAt)}T23:59:59.999Z`;
  const next = nextChangeAfter(now, profile);
  return next === null ? dayEnds : earliest(dayEnds, next);
}

function keyOf({ scope, caller, sight }: Pick<RequestHead, 'scope' | 'caller' | 'sight'>, appUserId: string): CacheKey {
  return { name: `${scope.projectId}|${appUserId}`, view: viewOf(caller, sight) };
}
