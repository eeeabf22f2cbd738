// No circle of imports: a file can be read, tested and moved after those it imports, and before those that import it. Imports of types
// count: two files whose types need each other are only understood together too.
import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = new URL('../../', import.meta.url);
const FOLDERS = ['src', 'tests', 'bench', 'sdk', 'dashboard/src'];

type Imports = ReadonlyMap<string, readonly string[]>;

describe('imports', () => {
  it('have no circle', () => {
    const imports = importsOf(FOLDERS.flatMap(filesIn));
    expect(imports.get('src/main.ts')).to.include('src/main/roles.ts');
    expect(imports.get('dashboard/src/main.tsx')).to.include('dashboard/src/app/app.tsx');
    expect(circlesIn(imports)).to.deep.equal([]);
  });

  it('have no circle of folders in the dashboard, where pages are imported only when they open', () => {
    const folders = foldersOf('dashboard/src');
    expect(folders.get('app')).to.include('context');
    expect(circlesIn(folders)).to.deep.equal([]);
  });

  it('have a circle where files lead back to the first', () => {
    const imports = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ]);
    expect(circlesIn(imports)).to.deep.equal(['b → c → b']);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => /\.tsx?$/.test(path))
    .sort();
}

/** Returns the folders below a folder, with those that each imports at once. */
function foldersOf(folder: string): Imports {
  const folders = new Map<string, string[]>();
  for (const path of filesIn(folder)) {
    const [own = '', ...below] = path.slice(folder.length + 1).split('/');
    if (below.length === 0) continue;
    const source = readFileSync(new URL(path, ROOT), 'utf8');
    const names = [...source.matchAll(/ from '(\.[^']+)'/g)].map(([, name = '']) => name);
    const others = names
      .map((name) => posix.relative(folder, posix.join(posix.dirname(path), name)).split('/')[0] ?? '')
      .filter((other) => other !== own && other !== '..');
    folders.set(own, [...(folders.get(own) ?? []), ...others]);
  }
  return folders;
}

function importsOf(files: readonly string[]): Imports {
  const known = new Set(files);
  return new Map(
    files.map((path) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(new URL(path, ROOT), 'utf8'));
      const relative = importedFiles.map((f) => f.fileName).filter((name) => name.startsWith('.'));
      return [path, relative.map((name) => posix.join(posix.dirname(path), name)).map((name) => sourceOf(name, known))];
    }),
  );
}

/** Returns the source of an imported module: imports of the service end in `.js`, those of the dashboard have no ending. */
function sourceOf(name: string, known: ReadonlySet<string>): string {
  const base = name.replace(/\.js$/, '');
  return [`${base}.ts`, `${base}.tsx`].find((path) => known.has(path)) ?? name;
}

/** One circle for each import that leads back to a file on the way to it. */
function circlesIn(imports: Imports): readonly string[] {
  const done = new Set<string>();
  const way: string[] = [];
  const circles: string[] = [];
  const visit = (file: string): void => {
    if (done.has(file)) return;
    if (way.includes(file)) {
      circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
      return;
    }
    way.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return circles;
}
