// Handling of an exchange by a route: authorise, apply limits, read the body, validate the input, wait for read models, respond.
import type { IdempotentRequest } from '../../commands/idempotency/idempotency.js';
import type { ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { z } from 'zod';
import { projections } from '../../projections/rebuild/registry.js';
import { authorize, mayDo, type Authorized } from './authorize.js';
import { actorOf, isTrusted } from './caller.js';
import { waitForReadModels } from './consistency.js';
import { acceptedOf, headerOf, ipOf, queryOf, type Exchange } from './exchange.js';
import { errorResponse, HttpError } from '../bodies/errors.js';
import { onceOnlyOf } from './once-only.js';
import { TooManyRequests, type Sending } from './rate-limits.js';
import { leavingOut, type LeaveOut } from '../bodies/leave-out.js';
import { bodyReader, type ReadBody } from '../bodies/read-body.js';
import { respondWith, type Performed, type Respond } from '../bodies/respond.js';
import type { Protocol } from './protocol.js';
import type { RouteResponse, Input, Route } from './route.js';
import { EventStream, ReadyJson, type Headers } from '../bodies/send-json.js';
import type { Services } from './services.js';

/** Rejects only if the response cannot be sent. Returns nothing if it was handled synchronously. */
export type Dispatch = (exchange: Exchange) => Promise<void> | void;

/** Creates the handling of a route. `canServe` returns false while the service cannot serve this route yet. */
export function dispatch(route: Route, services: Services, protocol: Protocol, canServe: () => boolean): Dispatch {
  const { runtime, metrics } = services;
  const { method, path } = route;
  // The fields that all log lines of a route share are serialized once.
  const log = services.log.child({ method, route: path });
  const handle = routeHandler(route, services, protocol);
  const note = ({ exchange, requestId, startedAt, about }: Begun, reason: string | null = null) => {
    const { req, res } = exchange;
    const { statusCode: status } = res;
    const ms = runtime.now() - startedAt;
    metrics.request({ method: req.method ?? '', route: path, status, ms });
    log.info({ status, ms, requestId, ...about.logged }, 'request');
    const { projectId } = about.logged;
    if (projectId !== undefined) protocol.note?.(exchange, { projectId, route, status, reason });
  };
  const fail = async (request: Begun, err: unknown) => {
    const { exchange, requestId, about } = request;
    const refusal = await counted(services, exchange, err);
    await sendError(services, protocol, exchange.res, requestId, refusal, { limits: about.limits, route });
    note(request, refusal instanceof Error ? refusal.message : null);
  };
  return (exchange) => {
    const startedAt = runtime.now();
    const request = { exchange, requestId: runtime.newId('req'), startedAt, about: { limits: [], logged: {} } };
    let handling: Promise<void> | void;
    try {
      if (!canServe()) throw new HttpError(503, 'the read models are being built; retry in 5 seconds', 5);
      handling = handle(request);
    } catch (err) {
      return fail(request, err);
    }
    if (!handling) return note(request);
    return handling.then(
      () => note(request),
      (err: unknown) => fail(request, err),
    );
  };
}

export function sendError(
  services: Services,
  protocol: Protocol,
  res: ServerResponse,
  requestId: string,
  err: unknown,
  { limits, route }: { readonly limits: Headers; readonly route: Route | null } = { limits: [], route: null },
): Promise<void> | void {
  const { status, body, retryAfterSeconds, isBug } = protocol.errorResponse(err, route);
  if (isBug)
    services.log.error({ requestId, stack: err instanceof Error ? err.stack : String(err) }, 'unexpected error');
  if (res.headersSent) return;
  const limitHeaders = err instanceof TooManyRequests ? err.headers : limits;
  const headers =
    retryAfterSeconds === undefined ? limitHeaders : [...limitHeaders, 'retry-after', String(retryAfterSeconds)];
  return protocol.send(res, requestId, status, body, headers);
}

/** Counts a 401. Repeated invalid credentials result in 429. */
async function counted({ limits }: Services, exchange: Exchange, err: unknown): Promise<unknown> {
  if (errorResponse(err).status !== 401) return err;
  return limits.refused(ipOf(exchange)).then(
    () => err,
    (tooMany: unknown) => tooMany,
  );
}

/** Request in progress. `startedAt`: UTC ms. `about` is filled while it is handled; `logged` may appear in the log. */
type Begun = {
  readonly exchange: Exchange;
  readonly requestId: string;
  readonly startedAt: number;
  readonly about: { readonly logged: { projectId?: string; keyId?: string }; limits: Headers };
};

/** Creates the handler of a route. A cached body is sent synchronously. Throws or rejects with the fault of the request. */
function routeHandler(route: Route, services: Services, protocol: Protocol): (request: Begun) => Promise<void> | void {
  const readBody = bodyReader(route);
  const planFor = leavingOut(route.response);
  const respondTo =
    ({ exchange: { res }, requestId, about }: Begun): Respond =>
    (status, body, headers) =>
      protocol.send(res, requestId, status, body, about.limits.length === 0 ? headers : [...headers, ...about.limits]);

  const count = (request: Begun, authorized: Authorized): Promise<void> | void => {
    const { exchange, about } = request;
    const { caller, scope } = authorized;
    if (scope.projectId !== '') about.logged.projectId = scope.projectId;
    if (caller.kind === 'key') {
      about.logged.keyId = caller.keyId;
      services.keyUses.note(caller.keyId);
    }
    const { appUserId } = exchange.params;
    const limits = services.limits.take(route, { ...sendingOf(exchange, authorized), appUserId });
    if (!(limits instanceof Promise)) return begin(request, authorized, limits);
    return limits.then((found) => begin(request, authorized, found));
  };
  const begin = (request: Begun, authorized: Authorized, limits: Headers): Promise<void> | void => {
    const { exchange, about } = request;
    about.limits = limits;
    const { caller, scope, sight } = authorized;
    const plan = planFor(sight);
    const head = { params: exchange.params, caller, scope, sight, leaveOut: (body: object) => plan(body) as object };
    const cached = route.cached && isPlainGet(exchange) ? route.cached(head, services) : undefined;
    if (!cached) return handle(request, authorized);
    const { body, etag } = cached;
    // Fields are listed: object spread showed up in profiles of this path.
    const performed = { status: 200, body, position: null, isSecret: false, etag, isRepeat: false };
    const options = { isPrivate: caller.kind !== 'nobody', tags: protocol.tags };
    return respondWith(exchange, performed, options, respondTo(request));
  };
  const handle = async (request: Begun, authorized: Authorized): Promise<void> => {
    const { exchange, requestId } = request;
    await route.admit?.({ params: exchange.params, header: (name) => headerOf(exchange, name) }, services);
    const read = await readBody(exchange);
    await services.limits.body(sendingOf(exchange, authorized), read.bytes);
    const leaveOut = planFor(authorized.sight);
    const input = check(route, exchange, read, { ...authorized, requestId, leaveOut });
    const awaited = headerOf(exchange, 'x-position');
    if (awaited !== undefined) await waitForReadModels(services, awaited, projections);
    const idempotent = onceOnlyOf(route, exchange, read.body, input, services);
    const performed = await perform({ route, leaveOut }, input, services, idempotent);
    const isPrivate = performed.isSecret || authorized.caller.kind !== 'nobody';
    await respondWith(exchange, performed, { isPrivate, tags: protocol.tags }, respondTo(request));
  };

  return (request) => {
    const { exchange } = request;
    const authorizing = authorize(services, route, protocol.credentialsOf(exchange, route));
    if (!(authorizing instanceof Promise)) return count(request, authorizing);
    return authorizing.then((authorized) => count(request, authorized));
  };
}

function sendingOf(exchange: Exchange, { caller, scope: { projectId } }: Authorized): Sending {
  return { caller, projectId, ip: () => ipOf(exchange) };
}

function isPlainGet({ req: { method, url, headers } }: Exchange): boolean {
  return method === 'GET' && url?.includes('?') === false && headers['x-position'] === undefined;
}

type Known = Authorized & { readonly requestId: string; readonly leaveOut: LeaveOut };

function check(
  route: Route,
  exchange: Exchange,
  { body, rawBody }: ReadBody,
  known: Known,
): Input<never, never, never> {
  const { caller, scope, sight, requestId, leaveOut } = known;
  return {
    params: parse(route.params, exchange.params),
    query: route.query ? parse(route.query, lookedUp(queryOf(exchange))) : undefined,
    body: parse(route.body, body),
    rawBody,
    caller,
    ip: ipOf(exchange),
    scope,
    sight,
    leaveOut: (body) => leaveOut(body) as object,
    mayWrite: exchange.req.method !== 'HEAD' && mayDo(caller, scope, 'recordSubscriber'),
    by: { actor: actorOf(caller), requestId, isTrusted: isTrusted(caller) },
    header: (name: string) => headerOf(exchange, name),
    accepts: (types: readonly string[]) => acceptedOf(exchange, types),
  } satisfies Input<unknown, unknown, unknown> as Input<never, never, never>;
}

/** Refuses U+0000 in a query, which indexes cannot contain. Throws {@link HttpError}. */
function lookedUp(query: ParsedUrlQuery): ParsedUrlQuery {
  const [name] = Object.entries(query).find(([, value]) => [value].flat().some((v) => String(v).includes('\0'))) ?? [];
  if (name !== undefined) throw new HttpError(400, `${name}: must not contain the character U+0000`);
  return query;
}

function parse(schema: z.ZodType | null, value: unknown): unknown {
  return schema ? schema.parse(value) : undefined;
}

type AnyInput = Input<never, never, never>;

/** A route, and the redaction for the caller. */
type Seen = { readonly route: Route; readonly leaveOut: LeaveOut };

async function perform(
  seen: Seen,
  input: AnyInput,
  services: Services,
  idempotent: IdempotentRequest | null,
): Promise<Performed> {
  const { route } = seen;
  if (!idempotent) return { ...(await handled(seen, input, services)), isRepeat: false };
  const { isRepeat, ...response } = await services.idempotency.once(idempotent, (first, runtime) =>
    handled(seen, { ...input, by: { ...input.by, ...first } }, withRuntime(services, runtime)),
  );
  if (isRepeat) await route.onRepeat?.(response.body, input.scope, services);
  return { ...response, isSecret: true, etag: false, isRepeat };
}

async function handled(seen: Seen, input: AnyInput, services: Services): Promise<Omit<Performed, 'isRepeat'>> {
  const { route, leaveOut } = seen;
  const { status = 200, body, after, isSecret = false, etag = false, cookie } = await route.handle(input, services);
  if (after) await show(services, after, input.by.requestId);
  const full = typeof body === 'function' ? await body() : body;
  // Streams and finished texts are already redacted.
  const shown = full instanceof EventStream || full instanceof ReadyJson ? full : (leaveOut(full) as object);
  return { status, body: shown, position: after?.position ?? null, isSecret, etag, cookie };
}

/** Waits until the read models show what was written. */
async function show(services: Services, after: NonNullable<RouteResponse['after']>, requestId: string) {
  const { position, readModels } = after;
  const isCurrent = await waitForReadModels(services, position ?? undefined, readModels);
  services.cached.forget(readModels);
  services.subscriberResponses.forget(readModels);
  services.offeringResponses.forget(readModels);
  if (!isCurrent) services.log.warn({ requestId, position }, 'response sent before read models caught up');
}

function withRuntime(services: Services, runtime: Services['runtime']): Services {
  return { ...services, runtime, deps: { ...services.deps, runtime } };
}
