// The application: every route of the table, health, and JSON for everything that goes wrong. Express serves all of it, the lean lane what
// is asked most.
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { corsFor } from './server/cors.js';
import { dispatch, sendError } from './dispatch/dispatch.js';
import { trustOf, type Params } from './dispatch/exchange.js';
import { leanLane, type Front } from './server/lean-lane.js';
import type { PageFile } from '../adapters/served-files/dashboard-files.js';
import type { DocsFiles } from '../adapters/served-files/docs-files.js';
import { serveDashboard } from './server/dashboard-page.js';
import { serveDocs } from './server/docs-page.js';
import { HttpError } from './bodies/errors.js';
import type { Route } from './dispatch/route.js';
import { routes } from './routes.js';
import { sendJson as send } from './bodies/send-json.js';
import type { Services } from './dispatch/services.js';

export type Health = {
  /** The read models have reached the head of the log once. */
  readonly hasCaughtUp: boolean;
  readonly isDraining: boolean;
};

/** While the read models are being built, nobody can be authorised by them; stores and log-ins need none. */
function canServe(route: Route, health: Health): boolean {
  return health.hasCaughtUp || route.access === 'open';
}

export type AppOptions = {
  readonly trustProxy: number | string;
  readonly corsOrigins: readonly string[];
  readonly docs: DocsFiles;
  /** Null: the page for people is not served here. */
  readonly dashboard: (() => ReadonlyMap<string, PageFile>) | null;
  /** False: Express serves every route. */
  readonly leanLane: boolean;
};

/** What is done with a request, whichever front it comes by. */
export function createApp(services: Services, health: Health, o: AppOptions): RequestListener {
  const front: Front = {
    cors: o.corsOrigins.length > 0 ? corsFor(o.corsOrigins) : null,
    served: routes.map((route) => ({ route, perform: dispatch(route, services, send, () => canServe(route, health)) })),
    trust: trustOf(o.trustProxy),
    fail: (res, err) => {
      if (res.headersSent) res.destroy();
      else void sendError(services, send, res, services.runtime.newId('req'), err);
    },
  };
  const app = createExpress(services, health, front, o);
  return o.leanLane ? leanLane(front, app) : app;
}

/** The front that serves every path. */
export function createExpress(
  services: Services,
  health: Health,
  { cors, served, trust, fail }: Front,
  { docs, dashboard }: Pick<AppOptions, 'docs' | 'dashboard'>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  if (cors) app.use(cors);
  const newRequestId = () => services.runtime.newId('req');
  // First of all, since Express tries one path after the other.
  for (const { route, perform } of served) {
    app[route.method](
      route.path,
      (req, res, next) => void perform({ req, res, params: req.params as Params, trust })?.catch(next),
    );
  }
  app.get('/livez', (_req, res) => send(res, newRequestId(), 200, { status: 'ok' }));
  app.get('/readyz', (_req, res) => {
    const ready = health.hasCaughtUp && !health.isDraining;
    // Halted read models are listed, but the process stays ready: others are current, and another process would have the same.
    const halted = services.progress.haltedReadModels();
    const about = { status: ready ? 'ready' : 'not ready', ...(halted.length > 0 && { halted }) };
    return send(res, newRequestId(), ready ? 200 : 503, about);
  });
  serveDocs(app, services.runtime, docs);
  if (dashboard) serveDashboard(app, services.runtime, dashboard);
  app.use((_req, _res, next) => next(new HttpError(404, 'no such path; /docs lists all of them')));
  // Express knows a handler of errors by its four parameters.
  const onError: ErrorRequestHandler = (err, _req, res, _next) => fail(res, err);
  app.use(onError);
  return app;
}
