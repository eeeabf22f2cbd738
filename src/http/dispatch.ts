// From an Express request to a route's handler and back: authorise, read the body, check the input, wait for views, answer.
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { projections } from '../projections/registry.js';
import { actorOf, authorize, type Caller, type Scope } from './authorize.js';
import { waitForViews } from './consistency.js';
import { errorAnswer, HttpError } from './errors.js';
import { etagOf, namesTag } from './etag.js';
import { checkDepth } from './json-depth.js';
import type { Answer, Input, Route } from './route.js';
import type { Headers, SendJson } from './send-json.js';
import type { Services } from './services.js';

const LIMITS = { small: '8kb', store: '256kb', default: '1mb' } as const;

const NOT_STORED = ['cache-control', 'no-store'];
/** Kept by the client alone, for these credentials, and asked for each time. */
const ASKED_AGAIN = ['cache-control', 'private, no-cache', 'vary', 'authorization, x-api-key, x-project-id'];

type BodyReader = (req: Request, res: Response) => Promise<{ body: unknown; rawBody: string }>;

/** `canServe` false: the service has started but cannot answer this route yet. */
export function dispatch(route: Route, services: Services, send: SendJson, canServe: () => boolean): RequestHandler {
  const { runtime, log } = services;
  const { method, path } = route;
  const answer = answerer(route, services, send);
  const respond = async (req: Request, res: Response): Promise<void> => {
    const startedAt = runtime.now();
    const requestId = runtime.newId('req');
    const about: About = {};
    try {
      if (!canServe()) throw new HttpError(503, 'the read models are being built; try again', 5);
      await answer(req, res, requestId, about);
    } catch (err) {
      sendError(services, send, res, requestId, err);
    }
    const ms = runtime.now() - startedAt;
    log.info({ method, route: path, status: res.statusCode, ms, requestId, ...about }, 'request');
  };
  return (req, res, next) => void respond(req, res).catch(next);
}

export function sendError(services: Services, send: SendJson, res: Response, requestId: string, err: unknown): void {
  const { body, retryAfterSeconds, isBug } = errorAnswer(err);
  if (isBug)
    services.log.error({ requestId, stack: err instanceof Error ? err.stack : String(err) }, 'unexpected error');
  const headers = retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)];
  send(res, requestId, body.statusCode, body, headers);
}

/** What the log may know of a request beyond its form; filled in as it becomes known. */
type About = { projectId?: string; keyId?: string };
type Answerer = (req: Request, res: Response, requestId: string, about: About) => Promise<void>;

function answerer(route: Route, services: Services, send: SendJson): Answerer {
  const readBody = bodyReader(route);
  const namesProject = route.path.includes('/projects/:id');
  const isWrite = route.method !== 'get';
  return async (req, res, requestId, about) => {
    const { caller, scope } = await authorize(services, route.access, {
      authorization: req.headers.authorization,
      apiKey: headerOf(req, 'x-api-key'),
      pathProjectId: namesProject ? String(req.params['id']) : undefined,
      headerProjectId: headerOf(req, 'x-project-id'),
      isWrite,
    });
    if (scope.projectId !== '') about.projectId = scope.projectId;
    if (caller.kind === 'key') about.keyId = caller.keyId;
    const { body, rawBody } = await readBody(req, res);
    const input = check(route, req, body, rawBody, { caller, scope, requestId });
    const awaited = headerOf(req, 'x-position');
    if (awaited !== undefined) await waitForViews(services, awaited, projections);
    const result = await route.handle(input, services);
    const isPrivate = (result.isSecret ?? false) || caller.kind !== 'nobody';
    const written = result.after ? await showing(services, result.after, requestId) : [];
    const shown = typeof result.body === 'function' ? await result.body() : result.body;
    const tag = result.etag ? etagOf(shown) : null;
    const isKept = tag !== null && namesTag(headerOf(req, 'if-none-match'), tag);
    const caching = tag === null ? (isPrivate ? NOT_STORED : []) : [...ASKED_AGAIN, 'etag', tag];
    send(res, requestId, isKept ? 304 : (result.status ?? 200), shown, [...caching, ...written]);
  };
}

/** Waits until the views show what was written. The headers tell a caller up to where the log must be read to find it. */
async function showing(
  services: Services,
  { position, views }: NonNullable<Answer['after']>,
  requestId: string,
): Promise<Headers> {
  const isShown = await waitForViews(services, position ?? undefined, views);
  services.cached.forget(views);
  if (position === null) return [];
  if (!isShown) services.log.warn({ requestId, position }, 'answered before the views');
  return ['x-position', position];
}

type Known = { readonly caller: Caller; readonly scope: Scope; readonly requestId: string };

function check(route: Route, req: Request, body: unknown, rawBody: string, known: Known): Input<never, never, never> {
  const { caller, scope, requestId } = known;
  return {
    params: parse(route.params, req.params),
    // Asking Express for the query parses it.
    query: route.query ? parse(route.query, req.query) : undefined,
    body: parse(route.body, body),
    rawBody,
    caller,
    scope,
    by: { actor: actorOf(caller), requestId },
    header: (name: string) => headerOf(req, name),
  } satisfies Input<unknown, unknown, unknown> as Input<never, never, never>;
}

/** A header that was sent twice arrives as one text, joined by a comma. */
function headerOf(req: Request, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function parse(schema: z.ZodType | null, value: unknown): unknown {
  return schema ? schema.parse(value) : undefined;
}

/** Only routes that take a body read one. A body that is not JSON by its own word is refused, an absent one is `undefined`. */
function bodyReader(route: Route): BodyReader {
  if (!route.body) return () => Promise.resolve({ body: undefined, rawBody: '' });
  const keepsRaw = route.bodyLimit === 'store';
  const raw = new WeakMap<object, string>();
  const parser = express.json({
    limit: LIMITS[route.bodyLimit],
    strict: true,
    ...(keepsRaw && {
      verify: (req: object, _res: unknown, bytes: Buffer) => void raw.set(req, bytes.toString('utf8')),
    }),
  });
  return (req, res) =>
    new Promise((resolve, reject) => {
      const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
      if (hasBody && !req.is('json'))
        return reject(new HttpError(415, 'send the body as content-type: application/json'));
      parser(req, res, (err: unknown) => {
        if (err !== undefined) return reject(err instanceof Error ? err : new Error('the body cannot be read'));
        try {
          const body: unknown = hasBody ? req.body : undefined;
          checkDepth(body);
          resolve({ body, rawBody: raw.get(req) ?? '' });
        } catch (refusal) {
          reject(refusal instanceof Error ? refusal : new Error('the body cannot be read'));
        }
      });
    });
}
