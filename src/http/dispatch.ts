// From an Express request to a route's handler and back: authorise, read the body, check the input, wait for views, answer.
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { projections } from '../projections/registry.js';
import { actorOf, authorize, type Caller, type Scope } from './authorize.js';
import { waitForViews } from './consistency.js';
import { errorAnswer, HttpError } from './errors.js';
import { checkDepth } from './json-depth.js';
import type { Input, Route } from './route.js';
import type { Services } from './services.js';

const LIMITS = { small: '8kb', store: '256kb', default: '1mb' } as const;

type BodyReader = (req: Request, res: Response) => Promise<{ body: unknown; rawBody: string }>;

/** `canServe` false: the service has started but cannot answer this route yet. */
export function dispatch(route: Route, services: Services, canServe: () => boolean): RequestHandler {
  const readBody = bodyReader(route);
  return (req, res, next) => {
    const startedAt = services.runtime.now();
    const requestId = requestIdOf(res);
    const answered = canServe()
      ? answer(route, services, readBody, req, res, requestId)
      : Promise.reject(new HttpError(503, 'the read models are being built; try again', 5));
    answered
      .catch((err: unknown) => sendError(services, res, requestId, err))
      .then(() => {
        const ms = services.runtime.now() - startedAt;
        const { method, path } = route;
        services.log.info({ method, route: path, status: res.statusCode, ms, requestId }, 'request');
      })
      .catch(next);
  };
}

/** Every answer carries it from the start. */
export function requestIdOf(res: Response): string {
  return String(res.getHeader('x-request-id'));
}

export function sendError(services: Services, res: Response, requestId: string, err: unknown): void {
  const { body, retryAfterSeconds, isBug } = errorAnswer(err);
  if (isBug)
    services.log.error({ requestId, stack: err instanceof Error ? err.stack : String(err) }, 'unexpected error');
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', String(retryAfterSeconds));
  send(res, body.statusCode, body);
}

async function answer(
  route: Route,
  services: Services,
  readBody: BodyReader,
  req: Request,
  res: Response,
  requestId: string,
): Promise<void> {
  const { caller, scope } = await authorize(services, route.access, {
    authorization: req.headers.authorization,
    apiKey: headerOf(req, 'x-api-key'),
    pathProjectId: route.path.includes('/projects/:id') ? String(req.params['id']) : undefined,
    headerProjectId: headerOf(req, 'x-project-id'),
    isWrite: route.method !== 'get',
  });
  const { body, rawBody } = await readBody(req, res);
  const input = check(route, req, body, rawBody, { caller, scope, requestId });
  await waitForViews(services, headerOf(req, 'x-position'), projections);
  const result = await route.handle(input, services);
  const { position = null, views = [] } = result.after ?? {};
  const isShown = await waitForViews(services, position ?? undefined, views);
  services.cached.forget(views);
  if (position !== null && !isShown) services.log.warn({ requestId, position }, 'answered before the views');
  if (position !== null) res.setHeader('x-position', position);
  if (result.isSecret || caller.kind !== 'nobody') res.setHeader('cache-control', 'no-store');
  send(res, result.status ?? 200, typeof result.body === 'function' ? await result.body() : result.body);
}

type Known = { readonly caller: Caller; readonly scope: Scope; readonly requestId: string };

function check(route: Route, req: Request, body: unknown, rawBody: string, known: Known): Input<never, never, never> {
  const { caller, scope, requestId } = known;
  return {
    params: parse(route.params, req.params),
    query: parse(route.query, req.query),
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

function send(res: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.setHeader('content-length', Buffer.byteLength(text));
  res.end(text);
}
