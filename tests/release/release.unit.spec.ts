// Notes of a release come from the changelog; its version announces whether it may break clients.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { notesOf } from '../../scripts/release/notes.js';
import { announcesBreaks, lastRelease } from '../../scripts/release/versions.js';

const root = new URL('../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('the notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.2.0] - 2027-01-05\n\n### Added\n\n- two\n\n## [0.1.0] - 2026-11-26\n\n- one\n';

  it('are the section of its version', () => {
    expect(notesOf(changelog, '0.2.0')).to.equal('### Added\n\n- two\n');
    expect(notesOf(changelog, '0.1.0')).to.equal('- one\n');
  });

  it('of a pre-release are what is not released yet', () =>
    expect(notesOf(changelog, '0.3.0-next.0')).to.equal('- new\n'));

  it('must exist, with a date and a text', () => {
    expect(() => notesOf(changelog, '0.3.0')).to.throw('CHANGELOG.md has no section [0.3.0]');
    expect(() => notesOf(changelog, 'Unreleased')).to.throw('the section [Unreleased] has no date');
    expect(() => notesOf('## [1.0.0] - 2027-01-05\n\n## [0.1.0] - 2026-11-26\n- one', '1.0.0')).to.throw('is empty');
  });

  it('of every version in the changelog are those of a tag, below what is not released', function () {
    const changes = textOf('CHANGELOG.md');
    const [first, ...released] = [...changes.matchAll(/^## \[([^\]]+)\]/gm)].map(([, name = '']) => name);
    expect(first).to.equal('Unreleased');
    for (const version of released) expect(notesOf(changes, version)).to.include('- ');
    const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    // Neither a package nor a checkout of one commit has the tags.
    if (git('rev-parse', '--is-shallow-repository').stdout.trim() !== 'false') this.skip();
    const tags = git('tag', '--list').stdout.split('\n');
    expect(released.filter((version) => !tags.includes(`v${version}`))).to.deep.equal([]);
  });
});

describe('the last release', () => {
  it('is the highest version, whatever the order of the tags', () =>
    expect(lastRelease(['v0.9.0', 'v0.10.0', 'v0.2.1', 'nightly', ''], '0.11.0')).to.equal('0.10.0'));
  it('is not the version that is being released', () =>
    expect(lastRelease(['v0.1.0', 'v0.2.0'], '0.2.0')).to.equal('0.1.0'));
  it('is no pre-release', () => expect(lastRelease(['v0.1.0', 'v0.2.0-next.0'], '0.2.0')).to.equal('0.1.0'));
  it('is null before the first', () => expect(lastRelease([''], '0.1.0')).to.equal(null));
});

describe('a version announces breaking changes', () => {
  const cases: readonly (readonly [release: string, version: string, announces: boolean])[] = [
    ['0.1.0', '0.1.1', false],
    ['0.1.0', '0.2.0-next.0', true],
    ['0.1.9', '1.0.0', true],
    ['1.1.0', '1.2.0', false],
    ['1.1.0', '2.0.0-next.3', true],
  ];
  for (const [release, version, announces] of cases) {
    it(`${announces ? 'from' : 'but not from'} ${release} to ${version}`, () =>
      expect(announcesBreaks(release, version)).to.equal(announces));
  }
});
