// The body of a known subscriber for a request that reads: from the texts that are kept, or made and kept.
import { customerId } from '../../domain/ids.js';
import { nextChangeAfter } from '../../domain/subscriber/access.js';
import { earliest, isoFromMs, utcDay } from '../../domain/time.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { ReadyJson } from '../bodies/send-json.js';
import { subscriberParams } from '../bodies/schemas.js';
import { survivor } from '../customers/holdings.js';
import type { Input, Kept, Known } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import type { Rendering, Viewed } from './rendered-subscribers.js';
import { isPublicKey, readSubscriber, subscriberAtHand } from './shown-subscriber.js';

type Asked = Pick<Input<{ appUserId: string }, unknown, unknown>, 'params' | 'scope' | 'caller' | 'sight' | 'leaveOut'>;

/**
 * Undefined for a subscriber who is not known. `noteSeen` is called before a body is made; a kept body is of a customer who was seen
 * that day.
 */
export async function renderSubscriber(
  services: Services,
  asked: Asked,
  noteSeen: (doc: CustomerDoc) => Promise<void>,
): Promise<object | undefined> {
  const { rendered, deps } = services;
  const viewed = viewedBy({ ...asked, appUserId: asked.params.appUserId });
  const text = keptText(services, viewed);
  if (text !== undefined) return new ReadyJson(text);
  const id = customerId(deps.hash, viewed.projectId, viewed.appUserId);
  const rendering = rendered.begin(viewed, id);
  try {
    return await made(services, asked, rendering, viewed, noteSeen);
  } finally {
    rendered.end(rendering);
  }
}

/** The same where it takes no wait: the body is kept, or all that it is made from is at hand. */
export function keptSubscriber(services: Services, asked: Known): Kept | undefined {
  const { params, scope, caller, sight } = asked;
  const viewed = viewedBy({ appUserId: params['appUserId'] ?? '', scope, caller, sight });
  const text = keptText(services, viewed) ?? madeAtOnce(services, asked, viewed);
  return text === undefined ? undefined : { body: new ReadyJson(text), etag: false };
}

/** Of a customer who was seen today and is nobody else; what takes more than the document and what is cached is left to the handler. */
function madeAtOnce(services: Services, { params, caller, leaveOut }: Known, viewed: Viewed): string | undefined {
  const { rendered, runtime, readModels, deps } = services;
  if (rendered.isShared || subscriberParams.safeParse(params).data?.appUserId !== viewed.appUserId) return undefined;
  const id = customerId(deps.hash, viewed.projectId, viewed.appUserId);
  const found = readModels.getGuardedNow(customers, id);
  if (found?.doc.profile.status !== 'known' || found.doc.profile.mergedInto || found.doc.hasOneTimePurchases)
    return undefined;
  const { doc, guard } = found;
  const now = isoFromMs(runtime.now());
  const until = keptUntil(doc, now);
  const body = until > now ? subscriberAtHand(services, caller, doc, now) : undefined;
  if (!body) return undefined;
  const text = JSON.stringify(leaveOut(body));
  rendered.keep(rendered.begin(viewed, id), { text, from: now, until, guard });
  return text;
}

/** Where others write as well, it takes the customer's guard to know whether a text still holds. */
function keptText({ rendered, runtime }: Services, viewed: Viewed): string | undefined {
  return rendered.isShared ? undefined : rendered.find(viewed, isoFromMs(runtime.now()));
}

async function made(
  services: Services,
  { caller, leaveOut }: Asked,
  rendering: Rendering,
  viewed: Viewed,
  noteSeen: (doc: CustomerDoc) => Promise<void>,
): Promise<object | undefined> {
  const { rendered, runtime, readModels } = services;
  const found = await readModels.getGuarded(customers, rendering.customerId);
  const doc = await survivor(readModels, found?.doc);
  if (!found || doc?.profile.status !== 'known') return undefined;
  const { guard } = found;
  const text = rendered.isShared ? rendered.find(viewed, isoFromMs(runtime.now()), guard) : undefined;
  if (text !== undefined) return new ReadyJson(text);
  await noteSeen(doc);
  const body = await readSubscriber(services, caller, doc);
  const until = keptUntil(doc, body.requestDate);
  // A merged customer is another's document; one-time purchases are documents of their own.
  if (doc !== found.doc || doc.hasOneTimePurchases || until <= body.requestDate) return body;
  const ready = new ReadyJson(JSON.stringify(leaveOut(body)));
  rendered.keep(rendering, { text: ready.text, from: body.requestDate, until, guard });
  return ready;
}

/** The first sight on another day is noted, and access may change before. */
function keptUntil({ profile, lastSeenAt }: CustomerDoc, now: string): string {
  const dayEnds = `${utcDay(lastSeenAt)}T23:59:59.999Z`;
  const next = nextChangeAfter(now, profile);
  return next === null ? dayEnds : earliest(dayEnds, next);
}

type Seen = Pick<Asked, 'scope' | 'caller' | 'sight'> & { readonly appUserId: string };

/** The same text each time: a map finds it without hashing it anew. */
const VIEWS = Array.from({ length: 16 }, (_, bits) => bits.toString(2).padStart(4, '0'));

function viewedBy({ appUserId, scope, caller, sight }: Seen): Viewed {
  const bits = 8 * +isPublicKey(caller) + 4 * +sight.money + 2 * +sight.personal + +sight.secret;
  return { projectId: scope.projectId, appUserId, view: VIEWS[bits] ?? '' };
}
