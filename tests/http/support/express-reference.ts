// The application with Express alone as its router: the reference for which route a request reaches.
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Route } from '../../../src/http/dispatch/route.js';

export type Reference = {
  readonly routes: readonly Route[];
  readonly handlerOf: (route: Route) => RequestHandler;
  /** Before all routes. */
  readonly middleware?: RequestHandler | null;
  readonly notFound: RequestHandler;
  readonly onError: ErrorRequestHandler;
};

export function createExpressReference({
  routes,
  handlerOf,
  middleware,
  notFound,
  onError,
}: Reference): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  if (middleware) app.use(middleware);
  for (const route of routes) app[route.method](route.path, handlerOf(route));
  app.use(notFound);
  app.use(onError);
  return app;
}
