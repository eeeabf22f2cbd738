// OpenAPI document and its packaged viewer. The build copies both next to the compiled code; from sources the originals are read.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Contents of the API documentation files; each is read on its first request. */
export type DocsFiles = { readonly openApi: () => Buffer; readonly viewer: () => Buffer };

const BUILT_FOLDER = new URL('../../docs/', import.meta.url);

/** Files of the documentation. Reading throws when neither the build nor the sources have the file. */
export const docsFiles: DocsFiles = {
  openApi: () => read('openapi.json', new URL('../../../openapi.json', import.meta.url)),
  viewer: () =>
    read('redoc.standalone.js', createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')),
};

function read(name: string, original: URL | string): Buffer {
  const built = new URL(name, BUILT_FOLDER);
  return readFileSync(existsSync(built) ? built : original);
}
