// Versions of releases: which was the last, and what a version announces (Semantic Versioning 2.0.0).
type Version = { readonly text: string; readonly numbers: readonly [major: number, minor: number, patch: number] };

/** Null for anything other than a release, such as `0.2.0-next.0`. */
function parse(text: string): Version | null {
  const match = /^v?((\d+)\.(\d+)\.(\d+))$/.exec(text.trim());
  return match ? { text: match[1] ?? '', numbers: [Number(match[2]), Number(match[3]), Number(match[4])] } : null;
}

function compare(a: Version, b: Version): number {
  const differing = a.numbers.findIndex((number, i) => number !== b.numbers[i]);
  return differing < 0 ? 0 : (a.numbers[differing] ?? 0) - (b.numbers[differing] ?? 0);
}

/** Returns the highest released version, other than `current` itself; null if there is none. `tags` are such as `v0.1.0`. */
export function lastRelease(tags: readonly string[], current: string): string | null {
  const releases = tags.map(parse).filter((version) => version !== null && version.text !== current);
  return releases.sort((a, b) => (a && b ? compare(b, a) : 0))[0]?.text ?? null;
}

/** Returns true if a change from `release` to `version` may break clients: another major version, or before 1.0.0 another minor one. */
export function announcesBreaks(release: string, version: string): boolean {
  const [was, is] = [parse(release), parse(version.replace(/-.*$/, ''))];
  if (!was || !is) throw new Error(`not a version: ${was ? version : release}`);
  const [major, minor] = was.numbers;
  return is.numbers[0] > major || (is.numbers[0] === 0 && is.numbers[1] > minor);
}
