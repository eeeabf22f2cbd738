// Built files that are served: the dashboard, whose assets contain a content hash in their names, and the API documentation. The build
// copies the documentation next to the compiled code; from sources the originals are read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type DashboardFile = { readonly name: string; readonly bytes: Buffer; readonly gzipped: Buffer };

const BUILT_DASHBOARD = new URL('../dashboard/', import.meta.url);
const SOURCE_DASHBOARD = new URL('../../dist/dashboard/', import.meta.url);

/** Loads the files by name, such as `index.html` and `assets/main-1a2b.js`; empty when the dashboard was not built. */
export function loadDashboardFiles(): ReadonlyMap<string, DashboardFile> {
  const folder = [BUILT_DASHBOARD, SOURCE_DASHBOARD].find((place) => existsSync(new URL('index.html', place)));
  if (!folder) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const files = names
    .filter((name) => names.includes(`${name}.gz`))
    .map((name) => {
      const [bytes, gzipped] = [name, `${name}.gz`].map((file) => readFileSync(new URL(file, folder)));
      return { name, bytes: bytes ?? Buffer.alloc(0), gzipped: gzipped ?? Buffer.alloc(0) };
    });
  return new Map(files.map((file) => [file.name, file]));
}

/** Contents of the API documentation files; each is read on its first request. */
export type DocsFiles = { readonly openApi: () => Buffer; readonly viewer: () => Buffer };

const BUILT_DOCS = new URL('../docs/', import.meta.url);

/** Files of the documentation. Reading throws when neither the build nor the sources have the file. */
export const docsFiles: DocsFiles = {
  openApi: () => read('openapi.json', new URL('../../openapi.json', import.meta.url)),
  viewer: () =>
    read('redoc.standalone.js', createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')),
};

function read(name: string, original: URL | string): Buffer {
  const built = new URL(name, BUILT_DOCS);
  return readFileSync(existsSync(built) ? built : original);
}
