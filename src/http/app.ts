// The application: CORS, the routes, health checks, the documentation, the dashboard, and JSON for unknown paths and errors, in this order.
import type { Express } from 'express';
import { createCors } from './server/cors.js';
import { createExpress, serveErrors, serveRoutes } from './server/router.js';
import type { DashboardFile, DocsFiles } from '../adapters/served-files.js';
import { serveDashboard, serveDocs } from './server/pages.js';
import { restProtocol } from './dispatch/respond.js';
import type { Route } from './dispatch/route.js';
import { routes } from './routes.js';
import { sendJson } from './bodies/send-json.js';
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
  /** Adds the endpoint for assistants; off by default. */
  readonly serveMcp?: ((app: Express) => void) | null;
  /** Null if the dashboard is not served by this process. */
  readonly dashboard: (() => ReadonlyMap<string, DashboardFile>) | null;
};

export function createApp(services: Services, health: Health, o: AppOptions): Express {
  const app = createExpress(o.trustProxy);
  if (o.corsOrigins.length > 0) app.use(createCors(o.corsOrigins));
  serveRoutes(app, services, { routes, protocol: restProtocol, canServe: (route) => canServe(route, health) });
  o.serveMcp?.(app);
  serveHealth(app, services, health);
  serveDocs(app, services.runtime, o.docs);
  if (o.dashboard) serveDashboard(app, services.runtime, o.dashboard);
  serveErrors(app, services, restProtocol, 'path not found; /docs lists all endpoints');
  return app;
}

function serveHealth(app: Express, { runtime, progress }: Services, health: Health): void {
  const newRequestId = () => runtime.newId('req');
  app.get('/livez', (_req, res) => sendJson(res, newRequestId(), 200, { status: 'ok' }));
  app.get('/readyz', (_req, res) => {
    const ready = health.hasCaughtUp && !health.isDraining;
    // Halted read models are listed, but the process stays ready: the others are current, and another process would halt as well.
    const halted = progress.haltedReadModels();
    const about = { status: ready ? 'ready' : 'not ready', ...(halted.length > 0 && { halted }) };
    return sendJson(res, newRequestId(), ready ? 200 : 503, about);
  });
}
