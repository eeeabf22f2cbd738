// Pages that name the tests behind what they say: each test is there, in the file that is named. A title may be named in part.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { read, root } from './markdown.js';

/** The file, then titles in it, each in italics. */
const NAMED = /`(tests\/[\w./-]+\.ts)`((?: _[^_|]+_,?)+)/g;

const least: readonly (readonly [page: string, tests: number])[] = [
  ['docs/faults.md', 20],
  ['docs/security-tests.md', 20],
];

for (const [page, expected] of least) {
  it(`${page} names tests that exist`, () => {
    const named = [...read(page).matchAll(NAMED)].flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/_([^_]+)_/g)].map(([, title = '']) => ({ file, title })),
    );
    const missing = named.filter(({ file, title }) => !readFileSync(root + file, 'utf8').includes(title));
    expect(missing).to.deep.equal([]);
    expect(named).to.have.length.above(expected);
  });
}
