// What protects responses of all kinds, as names and values in turns. The same for every request, so worked out once.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

type Directives = Readonly<Record<string, readonly string[]>>;

/** `directives`: what a page may load; a response that is data loads nothing. */
export function securityHeaders(directives: Directives): readonly string[] {
  const mutable = Object.fromEntries(Object.entries(directives).map(([name, values]) => [name, [...values]]));
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: mutable },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const headers: string[] = [];
  const response = {
    setHeader: (name: string, value: number | string | readonly string[]) => headers.push(name, String(value)),
    removeHeader: () => undefined,
  };
  protect({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
