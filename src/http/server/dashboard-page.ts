// Dashboard at `/dashboard`: static files under a strict content security policy. It gets all data from the API.
import type { Express, Request, Response } from 'express';
import type { DashboardFile } from '../../adapters/served-files/dashboard-files.js';
import type { Runtime } from '../../adapters/runtime.js';
import { HttpError } from '../bodies/errors.js';
import { securityHeaders } from './security-headers.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
const HEADERS = securityHeaders({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
});
/** Names of assets change with their content. */
const IMMUTABLE = ['cache-control', 'public, max-age=31536000, immutable'];
const REVALIDATE = ['cache-control', 'no-cache'];

/** Serves the files. `load` is called once, on the first request. */
export function serveDashboard(
  app: Express,
  runtime: Pick<Runtime, 'newId'>,
  load: () => ReadonlyMap<string, DashboardFile>,
): void {
  let files: ReadonlyMap<string, DashboardFile> | undefined;
  const send = (req: Request, res: Response, name: string, caching: readonly string[]) => {
    files ??= load();
    if (files.size === 0) throw new HttpError(404, 'the dashboard was not built; run npm run build');
    const file = files.get(name);
    if (!file) throw new HttpError(404, 'file not found; reload the dashboard');
    const isGzipped = req.acceptsEncodings('gzip') === 'gzip';
    const bytes = isGzipped ? file.gzipped : file.bytes;
    const type = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    const about = ['content-type', type, 'content-length', String(bytes.length), 'vary', 'accept-encoding'];
    const encoding = isGzipped ? ['content-encoding', 'gzip'] : [];
    res.writeHead(200, [...HEADERS, ...caching, 'x-request-id', runtime.newId('req'), ...about, ...encoding]);
    res.end(bytes);
  };
  app.get('/dashboard/assets/:name', (req, res) => send(req, res, `assets/${req.params.name}`, IMMUTABLE));
  // Every path within the dashboard serves the page, which reads the path itself.
  app.get(['/dashboard', '/dashboard/*within'], (req, res) => send(req, res, 'index.html', REVALIDATE));
}
