// A client for thousands of requests: one connection kept alive, and nothing of `fetch` but what a test looks at.
import { Agent, request } from 'node:http';
import { checkResponse } from '../support/response-check.js';
import type { HttpResponse, Call } from '../support/harness.js';

/** Throws for a response that is not in the route table. `close` when done. */
export function fastCaller(url: string): { readonly call: Call; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(url);
  const call: Call = (method, path, body, as = {}) =>
    new Promise<HttpResponse>((resolve, reject) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const headers = {
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
        ...(as.key !== undefined && { 'x-api-key': as.key }),
        ...as.headers,
      };
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        const headersOf = () =>
          new Headers(Object.entries(response.headers).map(([k, v]): [string, string] => [k, String(v)]));
        if (response.headers['content-type']?.startsWith('text/event-stream')) {
          response.destroy();
          return resolve({ status: response.statusCode ?? 0, body: undefined, headers: headersOf() });
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          try {
            const got = Buffer.concat(chunks).toString('utf8');
            const status = response.statusCode ?? 0;
            // A table has no schema; its text is searched like any body.
            if (response.headers['content-type']?.startsWith('text/csv'))
              return resolve({ status, body: got, headers: headersOf() });
            const answered = { status, body: got === '' ? undefined : JSON.parse(got) };
            checkResponse(method, path, answered.status, answered.body);
            resolve({ ...answered, headers: headersOf() });
          } catch (err) {
            reject(err instanceof Error ? err : new Error(String(err)));
          }
        });
      });
      sent.once('error', reject);
      sent.end(text);
    });
  return { call, close: () => agent.destroy() };
}
