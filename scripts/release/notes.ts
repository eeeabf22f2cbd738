// The section of one version in the changelog, which is the text of its release.

/**
 * Returns the text below the heading `## [version] - date`, without the heading; for a pre-release such as `0.2.0-next.0` the text below
 * `## [Unreleased]`. Throws if it is missing or empty, or has no date.
 */
export function notesOf(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const isPreRelease = version.includes('-');
  const name = isPreRelease ? 'Unreleased' : version;
  const start = lines.findIndex((line) => line.startsWith(`## [${name}]`));
  if (start < 0) throw new Error(`CHANGELOG.md has no section [${name}]`);
  if (!isPreRelease && !/^## \[\S+\] - \d{4}-\d\d-\d\d$/.test(lines[start] ?? ''))
    throw new Error(`the section [${version}] has no date`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^## |^\[[^\]]+\]: /.test(line));
  const notes = (end < 0 ? rest : rest.slice(0, end)).join('\n').trim();
  if (notes === '') throw new Error(`the section [${name}] is empty`);
  return `${notes}\n`;
}
