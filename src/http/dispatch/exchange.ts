// HTTP request and response as dispatch gets them. Everything derived from a request is here, so that all readers derive the same.
import type { Request, Response } from 'express';
import type { ParsedUrlQuery } from 'node:querystring';

export type Params = Readonly<Record<string, string>>;

export type Exchange = {
  readonly req: Request;
  readonly res: Response;
  /** Parameters by their name in the route's path, decoded. */
  readonly params: Params;
};

/** Returns the client address behind the trusted proxies; empty once the connection is closed. */
export function ipOf({ req }: Exchange): string {
  return req.socket.remoteAddress === undefined ? '' : (req.ip ?? '');
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
