// Links between the pages lead somewhere, and so do the names of files in them.
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect } from 'chai';
import { anchorsOf, blocksOf, linksOf, pages, proseOf, root } from './markdown.js';

const OUTSIDE = /^(https?|mailto):/;
const FOLDERS = /^(src|tests|docs|scripts|sdk|samples|bench)\//;
const IN_SOURCE = /^(domain|adapters|commands|projections|http|workers|cli|main)\/.+\.ts$/;
/** Names files as they were. */
const OF_THE_PAST = 'CHANGELOG.md';
/** Written by the commands that the pages describe. */
const MADE_LATER = ['bench/results.json'];

function fault(page: string, target: string): string | null {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path);
  if (!existsSync(`${root}${file}`)) return `${page}: ${target} does not exist`;
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return null;
  return `${page}: ${target} is no heading of ${file}`;
}

/** Returns the files named in backticks or in shell examples. */
function namedFiles(page: string): readonly string[] {
  const prose = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
  const commands = blocksOf(page).filter(({ info }) => info.startsWith('sh'));
  const words = [...prose, ...commands.flatMap(({ text }) => text.split(/[\s'"]+/))];
  return words.filter((word) => /^[\w./-]+$/.test(word) && (FOLDERS.test(word) || IN_SOURCE.test(word)));
}

describe('the pages', () => {
  it('link to pages and headings that exist', () => {
    const all = pages();
    const links = all.flatMap((page) => linksOf(page).map((target) => ({ page, target })));
    const faults = links.filter(({ target }) => !OUTSIDE.test(target)).map(({ page, target }) => fault(page, target));
    expect(faults.filter((text) => text !== null)).to.deep.equal([]);
    expect(all).to.include.members(['README.md', 'docs/architecture.md', 'docs/events.md']);
    expect(links).to.have.length.above(30);
  });

  it('name files that exist', () => {
    const named = pages()
      .filter((page) => page !== OF_THE_PAST)
      .flatMap((page) => namedFiles(page).map((file) => ({ page, file })));
    const missing = named.filter(({ page, file }) => {
      const places = [IN_SOURCE.test(file) ? `src/${file}` : file, posix.join(posix.dirname(page), file)];
      return !MADE_LATER.includes(file) && !places.some((place) => existsSync(root + place));
    });
    expect(missing.map(({ page, file }) => `${page}: ${file}`)).to.deep.equal([]);
    expect(named).to.have.length.above(50);
  });

  it('are all reached from README.md', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      const targets = linksOf(page).filter((target) => !OUTSIDE.test(target));
      const files = targets.map((target) => posix.join(posix.dirname(page), target.split('#')[0] ?? ''));
      for (const file of files) if (file.endsWith('.md')) reached.add(file);
    }
    expect(pages().filter((page) => page.startsWith('docs/') && !reached.has(page))).to.deep.equal([]);
  });
});
