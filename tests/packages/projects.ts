// An empty project with a package installed from its tarball, as `npm install` would leave it, but without a registry: the package sees its
// declared dependencies, taken from this repository, and nothing else.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const modules = join(repository, 'node_modules');

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
};
export type InstalledPackage = {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Paths in the tarball, relative to the package, sorted. */
  readonly files: readonly string[];
};

/** Packs the folder, relative to the repository, and installs it into the project. Throws with the output of the command that failed. */
export function installPacked(folder: string, project: string): InstalledPackage {
  const tarballs = join(project, 'tarballs');
  mkdirSync(tarballs, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', tarballs];
  const [packed] = JSON.parse(run('npm', pack, join(repository, folder))) as [{ filename: string }];
  const unpacked = join(tarballs, `${packed.filename}.unpacked`);
  mkdirSync(unpacked);
  run('tar', ['-xzf', join(tarballs, packed.filename), '-C', unpacked, '--strip-components=1'], project);
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
  const files = filesOf(unpacked);
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    link(join(modules, name), join(unpacked, 'node_modules', name));
  }
  link(unpacked, join(project, 'node_modules', manifest.name));
  for (const [command, path] of Object.entries(manifest.bin ?? {})) {
    link(join(unpacked, path), join(project, 'node_modules/.bin', command));
  }
  return { folder: unpacked, manifest, files };
}

/** Makes a package of the repository available to the project, such as a type declaration that a user would install. */
export function linkModule(name: string, project: string): void {
  link(join(modules, name), join(project, 'node_modules', name));
}

/** Runs a command to its end and returns its standard output. Throws with all output if it fails. */
export function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  const result = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, npm_config_update_notifier: 'false', ...env },
  });
  if (result.error) throw result.error;
  if (result.status === 0) return result.stdout;
  throw new Error(`${command} ${args.join(' ')} ended with ${result.status}: ${result.stdout}${result.stderr}`);
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
