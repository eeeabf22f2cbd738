// Puts the command line into a few files with what it imports: most of the time in which a service starts, and much of its memory, would
// otherwise go into Node's work for a thousand modules. The compiled files stay beside it, for the threads and for who reads them.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/** Native, found by name while running, or loaded only by who needs them. */
const APART = ['@photostructure/sqlite', '@eventstore/db-client', 'mongodb', 'redoc', 'undici'];
const ENTRY = 'cli/subledger';
/** Packages of the older module form load Node's own by `require`. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`;

/** `dist/cli/subledger.js` leads into the bundle from then on. Rejects with what cannot be resolved. */
export async function bundle(root) {
  const folder = join(root, 'dist/bundle');
  rmSync(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: [`src/${ENTRY}.ts`],
    outdir: folder,
    bundle: true,
    // Commands stay files of their own, loaded when they are asked for.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: APART,
    banner: { js: REQUIRE },
    legalComments: 'linked',
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [keepUrls(root)],
    logLevel: 'warning',
  });
  writeFileSync(
    join(root, `dist/${ENTRY}.js`),
    "#!/usr/bin/env node\n// Made by scripts/bundle.js.\nexport * from '../bundle/subledger.js';\n",
  );
}

/** Files find others by where they are compiled to, and go on doing so from the bundle: threads, what is served, sources to fingerprint. */
function keepUrls(root) {
  const source = join(root, 'src');
  return {
    name: 'keep-urls',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (relative(source, path).startsWith('..') || !text.includes('import.meta.url')) return null;
        const compiled = `../${relative(source, path).replaceAll('\\', '/').replace(/\.ts$/, '.js')}`;
        const url = `new URL(${JSON.stringify(compiled)}, import.meta.url).href`;
        return { loader: 'ts', contents: text.replaceAll('import.meta.url', url) };
      }),
  };
}
