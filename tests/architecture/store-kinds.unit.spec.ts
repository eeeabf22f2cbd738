// Nobody but a store's own folders and the lists of stores knows which stores there are.
import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';

const SOURCE = new URL('../../src/', import.meta.url);
const KINDS = new Set(['ios-store', 'android-store']);

/** The lists: one or two lines for each store. */
const lists = ['domain/store-kinds.ts', 'commands/stores/modules.ts', 'main/open-stores.ts'];
const OWN = /^(adapters|#simulator)\/(ios|android)-store\/|^commands\/stores\/(ios|android)\//;

/** Files that may import a store's folder, and why. */
const importers: ReadonlyMap<string, string> = new Map([
  [
    'adapters/configuration/config.ts',
    'checks the files of certificates with all other settings, before anything is opened',
  ],
  ['cli/support/outcome.ts', 'reports unusable certificates in a line'],
  ['cli/demo/demo.ts', 'plays both simulated stores'],
  ['main/demo/demo.ts', 'trusts the store that this process simulates'],
  ['main/demo/plan.ts', 'names the simulated android-store that a demo may use'],
  ['main/demo/play.ts', 'plays both'],
]);

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts') && !OWN.test(path) && !lists.includes(path))
  .sort();

type StoreMentions = { readonly literals: number; readonly imports: number };

function knownIn(path: string, text: string): StoreMentions {
  let [literals, imports] = [0, 0];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && KINDS.has(node.text)) literals++;
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { text } = node.moduleSpecifier;
      const isOfFile = text.startsWith('.');
      const target = isOfFile ? new URL(text, `file:///src/${path}`).pathname.replace(/^\/src\//, '') : text;
      if (OWN.test(target)) imports++;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return { literals, imports };
}

const known = files.map((path) => ({ path, ...knownIn(path, readFileSync(new URL(path, SOURCE), 'utf8')) }));

describe('kinds of stores in the source', () => {
  it('are named nowhere but in the lists and the stores’ own folders', () => {
    expect(files).to.have.length.above(50);
    expect(known.filter(({ literals }) => literals > 0).map(({ path }) => path)).to.deep.equal([]);
  });

  it('have folders that few others import', () => {
    const found = known.filter(({ imports }) => imports > 0).map(({ path }) => path);
    expect(found).to.deep.equal([...importers.keys()].sort());
  });

  it('are found where they stand', () => {
    const text = "import { a } from '../adapters/ios-store/port.js'; const b = kind === 'ios-store' ? 1 : 2;";
    expect(knownIn('http/a.ts', text)).to.deep.equal({ literals: 1, imports: 1 });
    expect(knownIn('http/a.ts', "const text = 'of the android-store'; // ios-store")).to.deep.equal({
      literals: 0,
      imports: 0,
    });
  });
});
