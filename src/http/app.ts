// The Express application: every route of the table, health, and JSON for everything that goes wrong.
import express, { type ErrorRequestHandler, type Express } from 'express';
import { corsFor } from './server/cors.js';
import { dispatch, sendError } from './dispatch/dispatch.js';
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
  /** The script that shows the interface's document. */
  readonly docsViewer: () => Buffer;
};

export function createApp(
  services: Services,
  health: Health,
  { trustProxy, corsOrigins, docsViewer }: AppOptions,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('case sensitive routing', true);
  if (corsOrigins.length > 0) app.use(corsFor(corsOrigins));
  const newRequestId = () => services.runtime.newId('req');
  // First of all, since Express tries one path after the other.
  for (const route of routes) {
    app[route.method](
      route.path,
      dispatch(route, services, send, () => canServe(route, health)),
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
  serveDocs(app, services.runtime, docsViewer);
  app.use((_req, _res, next) => next(new HttpError(404, 'no such path; /docs lists all of them')));
  const onError: ErrorRequestHandler = (err, _req, res, next) => {
    if (res.headersSent) return next(err);
    return sendError(services, send, res, newRequestId(), err);
  };
  app.use(onError);
  return app;
}
