// HTTP request and response as dispatch gets them. Everything derived from a request is here, so that all readers derive the same.
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { ParsedUrlQuery } from 'node:querystring';
import { HttpError } from '../bodies/errors.js';

type Params = Readonly<Record<string, string>>;

export type Exchange = {
  readonly req: Request;
  readonly res: Response;
  /** Parameters by their name in the route's path, decoded. */
  readonly params: Params;
};

/**
 * Returns the address of the client behind the trusted proxies, of IPv6 the first of its /64: a provider gives a customer at least that many.
 * Empty once the connection is closed.
 */
export function ipOf({ req }: Exchange): string {
  return req.socket.remoteAddress === undefined ? '' : networkOf(req.ip ?? '');
}

function networkOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const parts = address.parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::`;
}

export function queryOf({ req }: Exchange): ParsedUrlQuery {
  // The query parser of the application is that of `node:querystring`.
  return req.query as ParsedUrlQuery;
}

/** Returns a header. Repeated headers are joined by a comma. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Returns the media type that the caller prefers, the first of equals; null if none is accepted. */
export function preferredTypeOf({ req }: Exchange, types: readonly string[]): string | null {
  const accepted = req.accepts([...types]);
  return typeof accepted === 'string' ? accepted : null;
}

const VIA = /^[\x20-\x7e]{1,80}$/;

/** Reads the name by which a tool marks its changes. Any caller may send it: it is a label, not a proof. */
export function viaOf(exchange: Exchange): { readonly via?: string } {
  const via = headerOf(exchange, 'x-subledger-via');
  return via !== undefined && VIA.test(via) ? { via } : {};
}

/** Refuses U+0000 in a query, which indexes cannot contain. Throws {@link HttpError}. */
export function expectIndexable(query: ParsedUrlQuery): ParsedUrlQuery {
  const [name] = Object.entries(query).find(([, value]) => [value].flat().some((v) => String(v).includes('\0'))) ?? [];
  if (name !== undefined) throw new HttpError(400, `${name}: must not contain the character U+0000`);
  return query;
}
