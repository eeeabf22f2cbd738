// How every answer leaves: JSON, with the security headers of all answers, written at once. Headers must be handed over here and not
// set on the response before: Node merges those one by one, which costs as much as all of the routing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Names and values in turns. */
export type Headers = readonly string[];
export type SendJson = (
  res: ServerResponse,
  requestId: string,
  status: number,
  body: object,
  headers?: Headers,
) => void;

const CLOSE = ['connection', 'close'];

/** `isDraining`: connections are closed behind their answer. */
export function createSendJson(isDraining: () => boolean): SendJson {
  const always = [...securityHeaders(), 'content-type', 'application/json; charset=utf-8'];
  return (res, requestId, status, body, headers = []) => {
    const text = JSON.stringify(body);
    const all = always.concat('x-request-id', requestId, headers, 'content-length', String(Buffer.byteLength(text)));
    res.writeHead(status, isDraining() ? all.concat(CLOSE) : all);
    res.end(text);
  };
}

/** What protects answers that are JSON and nothing else; rules for pages would only be bytes here. */
function securityHeaders(): string[] {
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  // They are the same for every request, so one that never was is asked for them.
  const headers: string[] = [];
  const response = {
    setHeader: (name: string, value: number | string | readonly string[]) => headers.push(name, String(value)),
    removeHeader: () => undefined,
  };
  protect({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
