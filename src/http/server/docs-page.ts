// API documentation: the OpenAPI document at `/openapi.json`, its viewer at `/docs`, and short guides for assistants at `/llms.txt` and
// `/openapi-guide.md`. Nothing is loaded from other hosts.
import type { ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { DocsFiles } from '../../adapters/served-files/docs-files.js';
import type { Runtime } from '../../adapters/runtime.js';
import { LLMS_TXT, openApiGuide } from '../guide.js';
import { securityHeaders } from './security-headers.js';

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
