// Requests byte by byte, as no client would send them, and the whole response as it came.
import { connect } from 'node:net';

/** Headers that differ between two responses to the same request. */
const PASSING = /^(date|x-request-id|x-position|ratelimit-[a-z]+): .*$/gim;

/** Sends the text on a connection of its own and resolves with all that came until its end, without what passes. */
export function rawRequest(url: string, text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1').replace(PASSING, '$1')));
  });
}

/** The text of a request whose connection ends with the response. A body sets its length, unless the headers do. */
export function requestText(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const named = Object.keys(headers).map((name) => name.toLowerCase());
  const own = named.some((name) => name === 'content-length' || name === 'transfer-encoding');
  const length = body === '' || own ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = { host: 'service', connection: 'close', ...length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
