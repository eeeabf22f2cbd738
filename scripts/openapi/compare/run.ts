// Compares `openapi.json` with that of the last release. Fails for breaking changes, unless the version in package.json announces them: a
// higher major version, or before 1.0.0 a higher minor version. Run by `npm run openapi:compare`; needs the tags of the repository.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { announcesBreaks, lastRelease } from '../../release/versions.js';
import { findBreakingChanges, type OpenApiDocument } from './breaking-changes.js';

const root = new URL('../../../', import.meta.url);
const parsed = <T>(text: string): T => JSON.parse(text) as T;
const here = (path: string) => readFileSync(new URL(path, root), 'utf8');

function git(...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const { version } = parsed<{ version: string }>(here('package.json'));
// A release is compared with the one before it: its own tag exists already.
const release = lastRelease(git('tag', '--list', 'v*').split('\n'), version);
if (release === null) {
  process.stdout.write('No earlier release to compare with.\n');
} else {
  const before = parsed<OpenApiDocument>(git('show', `v${release}:openapi.json`));
  const changes = findBreakingChanges(before, parsed<OpenApiDocument>(here('openapi.json')));
  const isAnnounced = announcesBreaks(release, version);
  process.stdout.write(
    `${changes.length} breaking changes since ${release}\n${changes.map((line) => `- ${line}\n`).join('')}`,
  );
  if (changes.length > 0 && isAnnounced) process.stdout.write(`Version ${version} announces them.\n`);
  else if (changes.length > 0) {
    process.stderr.write('Avoid them, or announce them: npm version preminor --preid next --no-git-tag-version\n');
    process.exitCode = 1;
  }
}
