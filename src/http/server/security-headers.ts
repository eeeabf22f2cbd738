// Security headers of all responses, as names and values in turn. They are the same for every request and computed once.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
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
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  // The response itself forgets how the names are written.
  response.setHeader = (name, value) => {
    headers.push(name, String(value));
    return response;
  };
  protect(request, response, () => undefined);
  return headers;
}
