// Handling of an exchange by a route: authorise, apply limits, read the body, validate the input, wait for read models, respond.
import type { IdempotentRequest, RepeatableParts } from '../../commands/idempotency/idempotency.js';
import type { z } from 'zod';
import { authorize, hasPermission, type AuthorizedCaller } from './authorize.js';
import { actorOf, isTrusted } from './caller.js';
import { readPositionOf, waitForPosition, waitForReadModels } from './consistency.js';
import { expectIndexable, headerOf, ipOf, preferredTypeOf, queryOf, viaOf, type Exchange } from './exchange.js';
import { errorResponse, HttpError } from '../bodies/errors.js';
import { idempotentRequestOf } from './idempotency.js';
import type { BodySender } from './rate-limits.js';
import { createRedaction } from '../bodies/redact.js';
import { createBodyReader, type ParsedBody } from './read-body.js';
import { sendResult, type RouteResult, type SendResponse, sendError, type Protocol } from './respond.js';
import type { RouteResponse, Input, Route } from './route.js';
import { EventStream, ReadyJson, type Headers } from '../bodies/send-json.js';
import type { Services } from './services.js';

/** Rejects only if the response cannot be sent. */
export type Dispatch = (exchange: Exchange) => Promise<void>;

/** Creates the handling of a route. `canServe` returns false while the service cannot serve this route yet. */
export function dispatch(route: Route, services: Services, protocol: Protocol, canServe: () => boolean): Dispatch {
  const { runtime, metrics } = services;
  const { method, path } = route;
  // The fields that all log lines of a route share are serialized once.
  const log = services.log.child({ method, route: path });
  const handle = routeHandler(route, services, protocol);
  const reportResponse = (
    { exchange, requestId, startedAt, about }: RequestInProgress,
    reason: string | null = null,
  ) => {
    const { req, res } = exchange;
    const { statusCode: status } = res;
    const ms = runtime.now() - startedAt;
    metrics.request({ method: req.method ?? '', route: path, status, ms });
    log.info({ status, ms, requestId, ...about.logged }, 'request');
    const { projectId } = about.logged;
    if (projectId !== undefined) protocol.onResponse?.(exchange, { projectId, route, status, reason });
  };
  const fail = async (request: RequestInProgress, err: unknown) => {
    const { exchange, requestId, about } = request;
    const refusal = await countRefusal(services, exchange, err);
    await sendError(services, protocol, exchange.res, requestId, refusal, { limits: about.limits, route });
    reportResponse(request, refusal instanceof Error ? refusal.message : null);
  };
  return async (exchange) => {
    const startedAt = runtime.now();
    const request = { exchange, requestId: runtime.newId('req'), startedAt, about: { limits: [], logged: {} } };
    try {
      if (!canServe()) throw new HttpError(503, 'the read models are being built; retry in 5 seconds', 5);
      await handle(request);
    } catch (err) {
      return fail(request, err);
    }
    reportResponse(request);
  };
}

/** Counts a 401. Repeated invalid credentials result in 429. */
async function countRefusal({ limits }: Services, exchange: Exchange, err: unknown): Promise<unknown> {
  if (errorResponse(err).status !== 401) return err;
  return limits.countRefusal(ipOf(exchange)).then(
    () => err,
    (tooMany: unknown) => tooMany,
  );
}

/** Facts about a request, collected while it is handled. `logged` may appear in the log. */
type RequestFacts = { readonly logged: { projectId?: string; keyId?: string }; limits: Headers };
/** Request in progress. `startedAt`: UTC ms. */
type RequestInProgress = {
  readonly exchange: Exchange;
  readonly requestId: string;
  readonly startedAt: number;
  readonly about: RequestFacts;
};

/** Creates the handler of a route, which rejects with the fault of the request. */
function routeHandler(
  route: Route,
  services: Services,
  protocol: Protocol,
): (request: RequestInProgress) => Promise<void> {
  const readBody = createBodyReader(route);
  const planFor = createRedaction(route.response);
  return async (request) => {
    const { exchange, requestId, about } = request;
    const position = headerOf(exchange, 'x-position');
    const wait = position === undefined ? undefined : () => waitForPosition(services, position);
    const authorized = await authorize(services, route, protocol.credentialsOf(exchange, route), wait);
    const { caller, scope, visibility } = authorized;
    recordCaller(services, about, authorized);
    const { appUserId } = exchange.params;
    about.limits = await services.limits.countRequest(route, { ...senderOf(exchange, authorized), appUserId });
    const respond: SendResponse = (status, body, headers) =>
      protocol.send(exchange.res, requestId, status, body, [...headers, ...about.limits]);
    // Restricted fields are optional in every schema, so that what is left is a body too.
    const redact = <B extends object>(body: B) => planFor(visibility)(body) as B;
    const isPrivate = caller.kind !== 'nobody';

    const head = { params: exchange.params, caller, scope, visibility, redact };
    const cached = route.cached && isPlainGet(exchange) ? route.cached(head, services) : undefined;
    if (cached) {
      const result = { status: 200, position: null, isSecret: false, isRepeat: false, ...cached };
      return sendResult(exchange, result, { isPrivate, tags: protocol.tags, readPosition: null }, respond);
    }

    await route.admit?.({ params: exchange.params, header: (name) => headerOf(exchange, name) }, services);
    const read = await readBody(exchange);
    await services.limits.countBody(senderOf(exchange, authorized), read.bytes);
    const input = createInput(route, exchange, read, { ...authorized, requestId, redact });
    const appUserIds = route.subscribersIn?.(input.body) ?? [];
    if (appUserIds.length > 0) await services.limits.countSubscribers(senderOf(exchange, authorized), appUserIds);
    if (route.access === 'open') await waitForPosition(services, position);
    const idempotent = idempotentRequestOf(route, exchange, read.body, input, services);
    const readPosition = readPositionOf(route, services.progress);
    const result = await perform({ route, redact }, input, services, idempotent);
    const options = { isPrivate: isPrivate || result.isSecret, tags: protocol.tags, readPosition };
    return sendResult(exchange, result, options, respond);
  };
}

function recordCaller(services: Services, { logged }: RequestFacts, { caller, scope }: AuthorizedCaller): void {
  if (scope.projectId !== '') logged.projectId = scope.projectId;
  if (caller.kind !== 'key') return;
  logged.keyId = caller.keyId;
  services.keyUses.record(caller.keyId);
}

function senderOf(exchange: Exchange, { caller, scope: { projectId } }: AuthorizedCaller): BodySender {
  return { caller, projectId, ip: () => ipOf(exchange) };
}

function isPlainGet({ req: { method, url, headers } }: Exchange): boolean {
  return method === 'GET' && url?.includes('?') === false && headers['x-position'] === undefined;
}

const NO_FILE: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }),
};

type RequestContext = AuthorizedCaller & {
  readonly requestId: string;
  readonly redact: Input<never, never, never>['redact'];
};

function createInput(
  route: Route,
  exchange: Exchange,
  { body, rawBody, file = NO_FILE }: ParsedBody,
  context: RequestContext,
): Input<never, never, never> {
  const { caller, scope, visibility, requestId, redact } = context;
  return {
    params: parse(route.params, exchange.params),
    query: route.query ? parse(route.query, expectIndexable(queryOf(exchange))) : undefined,
    body: parse(route.body, body),
    rawBody,
    file,
    caller,
    ip: ipOf(exchange),
    scope,
    visibility,
    redact,
    mayWrite: exchange.req.method !== 'HEAD' && hasPermission(caller, scope, 'recordSubscriber'),
    by: { actor: { ...actorOf(caller), ...viaOf(exchange) }, requestId, isTrusted: isTrusted(caller) },
    header: (name: string) => headerOf(exchange, name),
    accepts: (types: readonly string[]) => preferredTypeOf(exchange, types),
  } satisfies Input<unknown, unknown, unknown> as Input<never, never, never>;
}

function parse(schema: z.ZodType | null, value: unknown): unknown {
  return schema?.parse(value);
}

/** A route, and the redaction for the caller. */
type RedactedRoute = { readonly route: Route; readonly redact: Input<never, never, never>['redact'] };

async function perform(
  target: RedactedRoute,
  input: Input<never, never, never>,
  services: Services,
  idempotent: IdempotentRequest | null,
): Promise<RouteResult> {
  const { route } = target;
  if (!idempotent) return { ...(await performHandler(target, input, services)), isRepeat: false };
  const { isRepeat, ...response } = await services.idempotency.once(idempotent, (first, parts) =>
    performHandler(target, { ...input, by: { ...input.by, ...first } }, withParts(services, parts)),
  );
  if (isRepeat) await route.onRepeat?.(response.body, input.scope, services);
  return { ...response, isSecret: true, etag: false, isRepeat };
}

async function performHandler(
  target: RedactedRoute,
  input: Input<never, never, never>,
  services: Services,
): Promise<Omit<RouteResult, 'isRepeat'> & Pick<RouteResponse, 'customers'>> {
  const { route, redact } = target;
  const response = await route.handle(input, services);
  const {
    status = route.statuses[0] ?? 200,
    body,
    after,
    isSecret = false,
    etag = false,
    cookie,
    customers,
  } = response;
  if (after) await waitUntilReadable(services, after, input.by.requestId);
  const full = typeof body === 'function' ? await body() : body;
  // Streams and finished texts are already redacted.
  const redacted = full instanceof EventStream || full instanceof ReadyJson ? full : redact(full);
  const position = after?.position ?? null;
  return { status, body: redacted, position, isSecret, etag, cookie, ...(customers && { customers }) };
}

/** Waits until the read models show what was written. */
async function waitUntilReadable(services: Services, after: NonNullable<RouteResponse['after']>, requestId: string) {
  const { position, readModels } = after;
  const isCurrent = await waitForReadModels(services, position ?? undefined, readModels);
  services.cached.invalidate(readModels);
  services.subscriberResponses.invalidate(readModels);
  services.offeringResponses.invalidate(readModels);
  if (!isCurrent) services.log.warn({ requestId, position }, 'response sent before read models caught up');
}

function withParts(services: Services, parts: RepeatableParts): Services {
  return { ...services, runtime: parts.runtime, deps: { ...services.deps, ...parts } };
}
