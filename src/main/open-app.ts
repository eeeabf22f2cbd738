// Creates the configured application for each address that the service listens on.
import { trustProxyOf, type Config } from '../adapters/configuration/config.js';
import { loadDashboardFiles } from '../adapters/served-files/dashboard-files.js';
import { docsFiles } from '../adapters/served-files/docs-files.js';
import { createApp, type Health } from '../http/app.js';
import { createCompatApp } from '../http/compat/app.js';
import type { Services } from '../http/dispatch/services.js';
import type { Apps } from './listeners.js';
import { warnOfUnknownProxy } from '../http/server/proxy-warning.js';

export function createApps(config: Config, services: Services, health: Health): Apps {
  const trustProxy = trustProxyOf(config);
  const watched = warnOfUnknownProxy(trustProxy, services.log);
  return {
    rest: ({ servesDashboard }) =>
      watched(
        createApp(services, health, {
          trustProxy,
          corsOrigins: config.CORS_ORIGINS,
          docs: docsFiles,
          dashboard: servesDashboard ? loadDashboardFiles : null,
        }),
      ),
    compat: watched(createCompatApp(services, health, { trustProxy })),
  };
}
