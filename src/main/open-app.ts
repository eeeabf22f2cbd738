// The application as the configuration wants it, for each address that the service listens on.
import type { RequestListener } from 'node:http';
import { trustProxyOf, type Config } from '../adapters/configuration/config.js';
import { loadDashboardFiles } from '../adapters/served-files/dashboard-files.js';
import { docsFiles } from '../adapters/served-files/docs-files.js';
import { createApp, type Health } from '../http/app.js';
import type { Services } from '../http/dispatch/services.js';
import { warnOfUnknownProxy } from '../http/server/forwarded-for.js';

export function appFor(
  config: Config,
  services: Services,
  health: Health,
): (page: { readonly servesDashboard: boolean }) => RequestListener {
  const trustProxy = trustProxyOf(config);
  const watched = warnOfUnknownProxy(trustProxy, services.log);
  return ({ servesDashboard }) =>
    watched(
      createApp(services, health, {
        trustProxy,
        corsOrigins: config.CORS_ORIGINS,
        docs: docsFiles,
        dashboard: servesDashboard ? loadDashboardFiles : null,
      }),
    );
}
