// Where the service listens: for the interface, for the page where it has an address of its own, and for metrics.
import type { RequestListener } from 'node:http';
import type { Config } from '../adapters/config.js';
import type { Runtime } from '../adapters/runtime.js';
import { isOnLoopback } from '../http/accounts/session-cookie.js';
import { listen, type Listener } from '../http/server/listener.js';

export type Listeners = {
  /** `http://host:port`; null without the `http` role. */
  readonly url: string | null;
  /** Where the page is; null where none is served. */
  readonly dashboardUrl: string | null;
  beginDrain(): void;
  drain(): Promise<void>;
};

export function listensOnLoopback({ HOST }: Pick<Config, 'HOST'>): boolean {
  return isOnLoopback(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}`);
}

/** `appWith`: the interface, with the page or without. Rejects when an address cannot be had. */
export async function openListeners(
  config: Config,
  appWith: (page: { readonly servesDashboard: boolean }) => RequestListener,
  runtime: Pick<Runtime, 'sleep' | 'turn' | 'newId'>,
): Promise<Listeners> {
  const { HOST, PORT, ROLES, DASHBOARD, DASHBOARD_HOST } = config;
  const all: Listener[] = [];
  const open = async (servesDashboard: boolean, at: { readonly host: string; readonly port: number }) => {
    const listener = await listen(appWith({ servesDashboard }), at, runtime);
    all.push(listener);
    return listener.url;
  };
  const isServed = (DASHBOARD ?? (DASHBOARD_HOST || listensOnLoopback(config) ? 'on' : 'off')) === 'on';
  const hasHttp = ROLES.includes('http');
  const isApart = isServed && DASHBOARD_HOST !== undefined;
  const url = hasHttp ? await open(isServed && !isApart, { host: HOST, port: PORT }) : null;
  const pageUrl = hasHttp && isApart ? await open(true, DASHBOARD_HOST) : url;
  return {
    url,
    dashboardUrl: isServed && pageUrl !== null ? `${pageUrl}/dashboard` : null,
    beginDrain: () => all.forEach((listener) => listener.beginDrain()),
    drain: async () => void (await Promise.all(all.map((listener) => listener.drain()))),
  };
}
