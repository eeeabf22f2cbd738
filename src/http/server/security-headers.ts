// Security headers of all responses, as names and values in turn. They are the same for every request and computed once.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** `directives` list what a page may load; a data response loads nothing. */
export function securityHeaders(directives: Readonly<Record<string, readonly string[]>>): readonly string[] {
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
