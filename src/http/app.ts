// The application: all routes, the dashboard, the documentation and health checks, with JSON for every error.
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { createCors } from './server/cors.js';
import { createFront } from './server/router.js';
import type { DashboardFile, DocsFiles } from '../adapters/served-files.js';
import { serveDashboard, serveDocs } from './server/pages.js';
import { HttpError } from './bodies/errors.js';
import { restProtocol, sendErrorOutsideRoutes } from './dispatch/respond.js';
import type { Route } from './dispatch/route.js';
import { routes } from './routes.js';
import { sendJson as send } from './bodies/send-json.js';
import type { Services } from './dispatch/services.js';

export type Health = {
  /** True once the read models have reached the head of the log for the first time. */
  readonly hasCaughtUp: boolean;
  readonly isDraining: boolean;
};

/** Returns whether a route can be served. Authorisation needs the read models, except for routes of stores and logins. */
function canServe(route: Route, health: Health): boolean {
  return health.hasCaughtUp || route.access === 'open';
}

export type AppOptions = {
  readonly trustProxy: number | string;
  readonly corsOrigins: readonly string[];
  readonly docs: DocsFiles;
  /** Adds the endpoint for assistants to the REST API; off by default. */
  readonly mcp?: ((rest: RequestListener) => RequestListener) | null;
  /** Null if the dashboard is not served by this process. */
  readonly dashboard: (() => ReadonlyMap<string, DashboardFile>) | null;
};

/** Applies CORS and performs the route of a request. Express responds to requests without a route. */
export function createApp(services: Services, health: Health, o: AppOptions): RequestListener {
  const cors = o.corsOrigins.length > 0 ? createCors(o.corsOrigins) : null;
  const front = createFront(services, {
    routes,
    protocol: restProtocol,
    trustProxy: o.trustProxy,
    canServe: (route) => canServe(route, health),
    otherwise: createPages(services, health, o),
  });
  const app = o.mcp ? o.mcp(front) : front;
  return cors ? (req, res) => cors(req, res, () => app(req, res)) : app;
}

/** Serves health checks, the documentation, the dashboard, and 404 for all other paths. */
export function createPages(
  services: Services,
  health: Health,
  { docs, dashboard }: Pick<AppOptions, 'docs' | 'dashboard'>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  const newRequestId = () => services.runtime.newId('req');
  app.get('/livez', (_req, res) => send(res, newRequestId(), 200, { status: 'ok' }));
  app.get('/readyz', (_req, res) => {
    const ready = health.hasCaughtUp && !health.isDraining;
    // Halted read models are listed, but the process stays ready: the others are current, and another process would halt as well.
    const halted = services.progress.haltedReadModels();
    const about = { status: ready ? 'ready' : 'not ready', ...(halted.length > 0 && { halted }) };
    return send(res, newRequestId(), ready ? 200 : 503, about);
  });
  serveDocs(app, services.runtime, docs);
  if (dashboard) serveDashboard(app, services.runtime, dashboard);
  app.use((_req, _res, next) => next(new HttpError(404, 'path not found; /docs lists all endpoints')));
  // Express recognises an error handler by its four parameters.
  const onError: ErrorRequestHandler = (err, _req, res, _next) =>
    sendErrorOutsideRoutes(services, restProtocol, res, err);
  app.use(onError);
  return app;
}
