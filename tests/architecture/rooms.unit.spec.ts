// The table of folders in docs/architecture.md names every room of the source.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url);
const foldersIn = (path: string) =>
  readdirSync(new URL(path, ROOT), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

describe('the table of folders', () => {
  const page = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `/.test(line));

  for (const layer of foldersIn('src/')) {
    it(`names every folder of src/${layer}`, () => {
      const ofLayer = rows.filter((row) => new RegExp(`^\\|[^|]*[\`/]${layer}/`).test(row)).join('\n');
      const unnamed = foldersIn(`src/${layer}/`).filter((name) => !ofLayer.includes(`${name}/\``));
      expect(unnamed).to.deep.equal([]);
    });
  }
});
