// The packaged viewer of the interface's document. The build puts it beside the compiled code; from the sources it is the package's own.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const BUILT = new URL('../docs/redoc.standalone.js', import.meta.url);

/** The script as it is served. Throws when neither the build nor the package has it. */
export function loadDocsViewer(): Buffer {
  const isBuilt = existsSync(BUILT);
  return readFileSync(isBuilt ? BUILT : createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'));
}
