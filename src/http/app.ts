// The Express application: security headers, health, every route of the table, and JSON for everything that goes wrong.
import express, { type ErrorRequestHandler, type Express } from 'express';
import helmet from 'helmet';
import { dispatch, requestIdOf, sendError } from './dispatch.js';
import { HttpError } from './errors.js';
import type { Route } from './route.js';
import { routes } from './routes.js';
import type { Services } from './services.js';

export type Health = {
  /** The read models have reached the head of the log once. */
  readonly hasCaughtUp: boolean;
  readonly isDraining: boolean;
};

/** While the read models are being built, nobody can be authorised by them; stores and log-ins need none. */
function canServe(route: Route, health: Health): boolean {
  return health.hasCaughtUp || route.access === 'open';
}

/** What protects answers that are JSON and nothing else; rules for pages would only be bytes here. */
function securityHeaders() {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

export function createApp(services: Services, health: Health, trustProxy: number | string): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('case sensitive routing', true);
  app.use(securityHeaders());
  app.use((_req, res, next) => {
    res.setHeader('x-request-id', services.runtime.newId('req'));
    if (health.isDraining) res.setHeader('connection', 'close');
    next();
  });
  app.get('/livez', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', (_req, res) => {
    const ready = health.hasCaughtUp && !health.isDraining;
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  for (const route of routes)
    app[route.method](
      route.path,
      dispatch(route, services, () => canServe(route, health)),
    );
  app.use((_req, _res, next) => next(new HttpError(404, 'no such path; the paths are listed in the README')));
  const onError: ErrorRequestHandler = (err, _req, res, next) => {
    if (res.headersSent) return next(err);
    sendError(services, res, requestIdOf(res), err);
  };
  app.use(onError);
  return app;
}
