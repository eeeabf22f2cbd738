// Builds dist/ incrementally: only parts whose sources have changed, and nothing in a fraction of a second if none has. The outputs are
// recorded with their hash, so that an interrupted, changed or partly deleted dist/ is built from the start.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stampFile = join(dist, '.build.json');

/** Versions of the tools: a change rebuilds everything from the start. */
const TOOLS = ['package-lock.json', 'node_modules/.package-lock.json', 'scripts/build.js'];
const PAGE = 'dashboard';
const SETTINGS = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'sdk/tsconfig.json',
  'simulator/tsconfig.json',
];
/** Source of the chart definitions that the dashboard shows. */
const CHART_SQL = 'src/domain/charts/sql';
/** Files of the published client in addition to its code. */
const CLIENT_PACKAGE = 'sdk/package.json';
const CLIENT_TEXTS = ['sdk/README.md', 'LICENSE'];
const VIEWER = 'redoc.standalone.js';
const OPENAPI = 'openapi.json';

const inputs = {
  tools: fingerprint(TOOLS),
  settings: fingerprint(SETTINGS),
  sdk: fingerprint(['sdk/src', CLIENT_PACKAGE, ...CLIENT_TEXTS]),
  simulator: fingerprint(['simulator', 'sdk/src']),
  sources: fingerprint(['src']),
  docs: fingerprint([OPENAPI]),
  page: fingerprint([PAGE, 'sdk/src', CHART_SQL]),
};
const before = readStamp();
const isWhole = before !== null && before.outputs === fingerprint(['dist']);
const hasChanged = Object.keys(inputs).filter((name) => before?.inputs?.[name] !== inputs[name]);
if (!isWhole || hasChanged.length > 0) build(isWhole && !hasChanged.includes('tools'));

function build(isIncremental) {
  process.stderr.write(isIncremental ? 'compiling what changed\n' : 'compiling\n');
  if (!isIncremental) rmSync(dist, { recursive: true, force: true });
  // The stamp is written again at the end, so that an interrupted build is repeated.
  rmSync(stampFile, { force: true });
  const isPageSame = isIncremental && !hasChanged.includes('page') && !hasChanged.includes('settings');
  if (!isPageSame) buildPage();
  const isSdkSame = isIncremental && !hasChanged.includes('sdk') && !hasChanged.includes('settings');
  if (!isSdkSame) buildClient();
  const isSimulatorSame = isIncremental && !hasChanged.includes('simulator') && !hasChanged.includes('settings');
  if (!isSimulatorSame) compile('simulator');
  const isOnlyPage = isIncremental && hasChanged.every((name) => name === 'page' || name === 'docs');
  if (!isOnlyPage) compile('tsconfig.build.json');
  removeLeftOvers();
  chmodSync(join(dist, 'cli/subledger.js'), 0o755);
  mkdirSync(join(dist, 'docs'), { recursive: true });
  for (const name of [VIEWER, `${VIEWER}.LICENSE.txt`]) {
    cpSync(join(root, 'node_modules/redoc/bundles', name), join(dist, 'docs', name));
  }
  const document = JSON.parse(readFileSync(join(root, OPENAPI), 'utf8'));
  writeFileSync(join(dist, 'docs', OPENAPI), JSON.stringify(document));
  writeFileSync(stampFile, JSON.stringify({ inputs, outputs: fingerprint(['dist']) }));
}

function compile(project) {
  run('node_modules/@typescript/native/bin/tsc', '-p', project);
}

/** Builds the client as a complete package, which has the scope and the version of the service's package. */
function buildClient() {
  compile('sdk');
  // The generated types have no code. Their map would contain the whole source for nothing.
  rmSync(join(dist, 'sdk/types.js.map'), { force: true });
  if (existsSync(join(dist, 'sdk/types.js'))) writeFileSync(join(dist, 'sdk/types.js'), 'export {};\n');
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(root, CLIENT_PACKAGE), 'utf8'));
  const published = { ...manifest, name: `${name.split('/')[0]}/${manifest.name}`, version };
  writeFileSync(join(dist, CLIENT_PACKAGE), `${JSON.stringify(published, null, 2)}\n`);
  for (const path of CLIENT_TEXTS) cpSync(join(root, path), join(dist, 'sdk', basename(path)));
}

/** Bundles the dashboard for browsers, and compresses its files once for all requests. */
function buildPage() {
  if (!existsSync(join(root, PAGE))) return;
  run('node_modules/vite/bin/vite.js', 'build', PAGE, '--logLevel', 'warn');
  for (const name of ['@fontsource-variable/inter', 'lucide', 'uqr']) {
    cpSync(join(root, 'node_modules', name, 'LICENSE'), join(dist, PAGE, 'licenses', `${name.replace('/', '-')}.txt`));
  }
  for (const path of filesOf(join(dist, PAGE))) {
    if (/\.(js|css|html|svg|woff2)$/.test(path))
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Removes outputs of deleted sources, which the compiler leaves. */
function removeLeftOvers() {
  const isLeftOver = (path) => {
    const name = relative(dist, path);
    if (!/\.(js|js\.map|d\.ts)$/.test(name) || /^(docs|dashboard)\//.test(name)) return false;
    const source = name.replace(/\.(js|js\.map|d\.ts)$/, '.ts');
    const home = name.startsWith('simulator/')
      ? source
      : name.startsWith('sdk/')
        ? `sdk/src/${source.slice(4)}`
        : `src/${source}`;
    return !existsSync(join(root, home));
  };
  for (const path of filesOf(dist)) if (isLeftOver(path)) rmSync(path);
}

/** Hashes names and contents, except the stamp itself. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((p) => filesOf(join(root, p)))) {
    if (path !== stampFile)
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    // The stamp is missing or incomplete.
    return null;
  }
}
