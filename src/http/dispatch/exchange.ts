// HTTP request and response as dispatch gets them. Everything derived from a request is here, so that all readers derive the same.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import accepts from 'accepts';
import proxyAddr from 'proxy-addr';

export type Params = Readonly<Record<string, string>>;

export type Exchange = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Parameters by their name in the route's path, decoded. */
  readonly params: Params;
  /** Decides which proxies are trusted to set `X-Forwarded-For`. */
  readonly trust: Trust;
};

/** Returns whether an address is a trusted proxy; `hops` is the number of addresses before it. */
export type Trust = (address: string, hops: number) => boolean;

/** `trustProxy`: a number of proxies, or a comma-separated list of addresses. */
export function trustOf(trustProxy: number | string): Trust {
  if (typeof trustProxy === 'number') return (_address, hops) => hops < trustProxy;
  return proxyAddr.compile(trustProxy.split(',').map((address) => address.trim()));
}

/** Returns the client address behind the trusted proxies; empty once the connection is closed. */
export function ipOf({ req, trust }: Exchange): string {
  return req.socket.remoteAddress === undefined ? '' : proxyAddr(req, trust);
}

/** Returns path and query as they were sent. */
export function targetOf({ req }: Exchange): string {
  return req.url ?? '';
}

export function queryOf(exchange: Exchange): ParsedUrlQuery {
  const [target = ''] = targetOf(exchange).split('#', 1);
  const start = target.indexOf('?');
  return start < 0 ? {} : parse(target.slice(start + 1));
}

/** Returns a header. Repeated headers are joined by a comma. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Returns the media type that the caller prefers, the first of equals; null if none is accepted. */
export function preferredTypeOf({ req }: Exchange, types: readonly string[]): string | null {
  const accepted = accepts(req).types([...types]);
  return typeof accepted === 'string' ? accepted : null;
}
