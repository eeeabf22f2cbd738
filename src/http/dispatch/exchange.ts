// A request and its response as dispatch gets them, whichever front has found the route. What is worked out of the request is here, so that
// no front can see it in another way.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import accepts from 'accepts';
import proxyAddr from 'proxy-addr';

export type Params = Readonly<Record<string, string>>;

export type Exchange = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** By the names in the route's path, decoded. */
  readonly params: Params;
  /** Whose `X-Forwarded-For` is believed. */
  readonly trust: Trust;
};

/** Whether an address may say for whom it asks; `hops`: how many others are between. */
export type Trust = (address: string, hops: number) => boolean;

/** `trustProxy`: a number of proxies, or addresses with commas between. */
export function trustOf(trustProxy: number | string): Trust {
  if (typeof trustProxy === 'number') return (_address, hops) => hops < trustProxy;
  return proxyAddr.compile(trustProxy.split(',').map((address) => address.trim()));
}

/** The address that asks, behind the proxies that are trusted; empty once the connection is gone. */
export function ipOf({ req, trust }: Exchange): string {
  return req.socket.remoteAddress === undefined ? '' : proxyAddr(req, trust);
}

/** Path and query as they were sent. */
export function targetOf({ req }: Exchange): string {
  return req.url ?? '';
}

export function queryOf(exchange: Exchange): ParsedUrlQuery {
  const [target = ''] = targetOf(exchange).split('#', 1);
  const start = target.indexOf('?');
  return start < 0 ? {} : parse(target.slice(start + 1));
}

/** A header that was sent twice arrives as one text, joined by a comma. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Which of the media types the caller likes best, the earlier of equals; null for none of them. */
export function acceptedOf({ req }: Exchange, types: readonly string[]): string | null {
  const found = accepts(req).types([...types]);
  return typeof found === 'string' ? found : null;
}
