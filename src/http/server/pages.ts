// Pages: the API documentation, and the dashboard at `/dashboard`. Both are static files under a content security policy; nothing is loaded
// from other hosts, and the dashboard gets all data from the API.
import type { ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { DocsFiles, DashboardFile } from '../../adapters/served-files.js';
import type { Runtime } from '../../adapters/runtime.js';
import { LLMS_TXT, openApiGuide } from '../guide.js';
import { securityHeaders } from './security-headers.js';
import { HttpError } from '../bodies/errors.js';

const VIEWER = '/docs/redoc.js';
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Subledger: API</title>
  </head>
  <body>
    <redoc spec-url="/openapi.json" required-props-first hide-hostname expand-responses="200,201"></redoc>
    <script src="${VIEWER}"></script>
  </body>
</html>
`;

/** The viewer creates its styles and its search worker at run time. */
const pageHeaders = securityHeaders({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  workerSrc: ['blob:'],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
});
/** Short, since the files change with each release. */
const CACHED = ['cache-control', 'public, max-age=300'];

/** Serves the document, the page and the viewer; each file is read on its first request. */
export function serveDocs(app: Express, runtime: Pick<Runtime, 'newId'>, { openApi, viewer }: DocsFiles): void {
  const serve = (path: string, type: string, content: () => string | Buffer) => {
    let cached: string | Buffer | undefined;
    app.get(path, (_req, res: ServerResponse) => {
      cached ??= content();
      const about = ['content-type', type, 'content-length', String(Buffer.byteLength(cached))];
      const id = ['x-request-id', runtime.newId('req')];
      res.writeHead(200, [...pageHeaders, ...CACHED, ...id, ...about]);
      res.end(cached);
    });
  };
  serve('/openapi.json', 'application/json; charset=utf-8', openApi);
  serve('/llms.txt', 'text/plain; charset=utf-8', () => LLMS_TXT);
  serve('/openapi-guide.md', 'text/markdown; charset=utf-8', openApiGuide);
  serve('/docs', 'text/html; charset=utf-8', () => PAGE);
  serve(VIEWER, 'text/javascript; charset=utf-8', viewer);
}

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
