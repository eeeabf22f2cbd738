// Listeners of the service: for the REST API, for the dashboard if it has an address of its own, and for the compatibility API.
import type { RequestListener } from 'node:http';
import type { Config } from '../adapters/configuration/config.js';
import type { Runtime } from '../adapters/runtime.js';
import { isOnLoopback } from '../http/accounts/session-cookie.js';
import { compatRefusal } from '../http/compat/protocol.js';
import { listen, restForm, TIME_LIMITS, type Listener, type RefusalForm } from '../http/server/listener.js';
import { systemCodeOf, WrongConfiguration } from '../adapters/configuration/wrong-configuration.js';

export type Listeners = {
  /** URL `http://host:port`; null without the `http` role. */
  readonly url: string | null;
  /** Address of the dashboard; null when it is not served. */
  readonly dashboardUrl: string | null;
  /** Address of the compatibility API; null without `COMPAT_PORT`. */
  readonly compatUrl: string | null;
  beginDrain(): void;
  drain(): Promise<void>;
};

export function listensOnLoopback({ HOST }: Pick<Config, 'HOST'>): boolean {
  return isOnLoopback(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}`);
}

/** Names of the variables that an address was read from. */
export type AddressNames = { readonly host: string; readonly port: string };

/** Returns the configuration error of an address that cannot be listened on, or the error itself. */
export function listenFault(
  names: AddressNames,
  { host, port }: { readonly host: string; readonly port: number },
  err: unknown,
): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `${names.port}: ${port} on ${host} is in use by another process; stop that process, or set another port (0 picks a free one)`,
    EACCES: `${names.port}: ${port} is reserved for privileged users; set a port from 1024 on`,
    EADDRNOTAVAIL: `${names.host}: ${host} is not an address of this machine; 0.0.0.0 listens on all of its addresses`,
    ENOTFOUND: `${names.host}: ${host} is not a known host name; give an address such as 127.0.0.1`,
    EAI_AGAIN: `${names.host}: ${host} cannot be resolved now; give an address such as 127.0.0.1`,
    EINVAL: `${names.host}: ${host} cannot be listened on; give an address such as 127.0.0.1`,
  };
  const problem = problems[systemCodeOf(err) ?? ''];
  return problem === undefined ? err : new WrongConfiguration([problem]);
}

export type Apps = {
  /** The REST API, with or without the dashboard. */
  readonly rest: (page: { readonly servesDashboard: boolean }) => RequestListener;
  readonly compat: RequestListener;
};

/** Returns the address at which SDKs reach the compatibility API, as far as the configuration tells; null if it is off. */
export function sdkUrlOf(
  { COMPAT_HOST_NAME }: Pick<Config, 'COMPAT_HOST_NAME'>,
  { compatUrl }: Pick<Listeners, 'compatUrl'>,
  publicUrl: string,
): string | null {
  if (COMPAT_HOST_NAME === undefined) return compatUrl;
  return `${publicUrl.startsWith('https:') ? 'https' : 'http'}://${COMPAT_HOST_NAME}`;
}

/** Opens the listeners. Rejects with `WrongConfiguration` for an unavailable address. */
export async function openListeners(
  config: Config,
  apps: Apps,
  runtime: Pick<Runtime, 'sleep' | 'turn' | 'newId' | 'elapsed'>,
): Promise<Listeners> {
  const { HOST, PORT, ROLES, DASHBOARD, DASHBOARD_HOST, COMPAT_PORT, COMPAT_HOST_NAME } = config;
  const all: Listener[] = [];
  const open = async (
    app: RequestListener,
    at: { readonly host: string; readonly port: number },
    names: AddressNames,
    formOf?: RefusalForm,
  ) => {
    const listener = await listen(app, at, runtime, TIME_LIMITS, formOf).catch((err: unknown) => {
      throw listenFault(names, at, err);
    });
    all.push(listener);
    return listener.url;
  };
  const isServed = (DASHBOARD ?? (DASHBOARD_HOST || listensOnLoopback(config) ? 'on' : 'off')) === 'on';
  const hasHttp = ROLES.includes('http');
  const isApart = isServed && DASHBOARD_HOST !== undefined;
  const ofPage = { host: 'DASHBOARD_HOST', port: 'DASHBOARD_HOST' };
  const restWith = (servesDashboard: boolean) =>
    byHostName(COMPAT_HOST_NAME, apps.compat, apps.rest({ servesDashboard }));
  const formOf = formByHostName(COMPAT_HOST_NAME);
  const url = hasHttp
    ? await open(restWith(isServed && !isApart), { host: HOST, port: PORT }, { host: 'HOST', port: 'PORT' }, formOf)
    : null;
  const pageUrl = hasHttp && isApart ? await open(restWith(true), DASHBOARD_HOST, ofPage, formOf) : url;
  const compatUrl =
    hasHttp && COMPAT_PORT !== undefined
      ? await open(apps.compat, { host: HOST, port: COMPAT_PORT }, { host: 'HOST', port: 'COMPAT_PORT' }, compatRefusal)
      : null;
  return {
    url,
    compatUrl,
    dashboardUrl: isServed && pageUrl !== null ? `${pageUrl}/dashboard` : null,
    beginDrain: () => all.forEach((listener) => listener.beginDrain()),
    drain: async () => void (await Promise.all(all.map((listener) => listener.drain()))),
  };
}

/** Requests to `hostName` go to `handler`, all others to `other`: the host that a proxy passes on decides. A final dot names the same host. */
function byHostName(hostName: string | undefined, handler: RequestListener, other: RequestListener): RequestListener {
  if (hostName === undefined) return other;
  return (req, res) => (isHost(req.headers.host, hostName) ? handler(req, res) : other(req, res));
}

/** A request that did not get as far as its host may be one of an SDK, which would take another form for the end of a purchase. */
function formByHostName(hostName: string | undefined): RefusalForm {
  if (hostName === undefined) return restForm;
  return (host, fault) => {
    const formOf = host === undefined || isHost(host, hostName) ? compatRefusal : restForm;
    return formOf(host, fault);
  };
}

function isHost(sent: string | undefined, hostName: string): boolean {
  const [host = ''] = (sent ?? '').toLowerCase().split(':');
  return host.replace(/\.$/, '') === hostName;
}
