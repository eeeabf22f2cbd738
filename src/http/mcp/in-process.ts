// Requests of tools to the routes of the same process: through the one dispatch, without a connection.
import type { RequestListener } from 'node:http';
import inject from 'light-my-request';

/** Returns a `fetch` that performs requests on `listener`, for the client at `remoteAddress`. */
export function fetchInProcess(
  listener: RequestListener,
  remoteAddress: string,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search, host } = new URL(request.url);
    const body = await request.text();
    const { statusCode, headers, rawPayload } = await inject(listener, {
      method: request.method,
      url: `${pathname}${search}`,
      headers: { ...Object.fromEntries(request.headers), host },
      remoteAddress,
      ...(body !== '' && { payload: body }),
    });
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const isEmpty = statusCode === 204 || statusCode === 304;
    return new Response(isEmpty ? null : new Uint8Array(rawPayload), { status: statusCode, headers: sent });
  };
}
