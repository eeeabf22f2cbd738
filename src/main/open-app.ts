// Creates the configured application for each address that the service listens on.
import { trustProxyOf, type Config } from '../adapters/configuration/config.js';
import { loadDashboardFiles, docsFiles } from '../adapters/served-files.js';
import { createApp, type Health } from '../http/app.js';
import { createCompatApp } from '../http/compat/routes.js';
import type { Services } from '../http/dispatch/services.js';
import type { Apps } from './listeners.js';
import { VERSION } from './version.js';
import { warnOfUnknownProxy } from '../http/server/listener.js';

export async function createApps(config: Config, services: Services, health: Health): Promise<Apps> {
  const trustProxy = trustProxyOf(config);
  const watched = warnOfUnknownProxy(trustProxy, services.log);
  // Loaded only if it is on: its library takes a tenth of the memory of an idle service.
  const mcp = config.MCP ? await import('../http/mcp/app.js') : null;
  const mcpOptions = mcpOptionsOf(config);
  return {
    rest: ({ servesDashboard }) =>
      watched(
        createApp(services, health, {
          trustProxy,
          corsOrigins: config.CORS_ORIGINS,
          docs: docsFiles,
          serveMcp: mcp && ((app) => mcp.serveMcp(app, services, health, mcpOptions)),
          dashboard: servesDashboard ? loadDashboardFiles : null,
        }),
      ),
    compat: watched(createCompatApp(services, health, { trustProxy })),
  };
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Assistants may use the loopback names, `HOST`, the host of `PUBLIC_URL`, and `MCP_HOST_NAMES`. */
function mcpOptionsOf({ HOST, PUBLIC_URL, MCP_HOST_NAMES, MCP_PII }: Config) {
  const own = WILDCARDS.has(HOST) ? [] : [HOST];
  const open = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname];
  return { hostNames: [...LOOPBACK, ...own, ...open, ...MCP_HOST_NAMES], showsPersonal: MCP_PII, version: VERSION };
}
