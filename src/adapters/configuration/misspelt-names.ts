// Environment variables whose name nearly is that of a setting, or once was: without a notice, the default would apply silently.

/** Shorter names resemble too many others. */
const MIN_LENGTH = 6;
const MAX_EDITS = 2;

/** Names that settings had in earlier versions. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['KEPT_BODIES_MB', 'RESPONSE_CACHE_MB']]);

export type MisspeltName = { readonly name: string; readonly nearest: string };

/** Returns the variables that are no settings but were one, or differ from one by at most two letters, with that setting. */
export function findMisspeltNames(names: readonly string[], settings: readonly string[]): readonly MisspeltName[] {
  const known = new Set(settings);
  return names
    .filter((name) => !known.has(name) && name.length >= MIN_LENGTH)
    .flatMap((name) => {
      const renamed = FORMER_NAMES.get(name);
      if (renamed !== undefined) return [{ name, nearest: renamed }];
      const near = settings
        .filter((setting) => setting.length >= MIN_LENGTH && Math.abs(setting.length - name.length) <= MAX_EDITS)
        .map((setting) => ({ name, nearest: setting, edits: editsBetween(name.toUpperCase(), setting) }))
        .filter(({ edits }) => edits <= MAX_EDITS)
        .toSorted((a, b) => a.edits - b.edits);
      return near.slice(0, 1).map(({ nearest }) => ({ name, nearest }));
    });
}

/** Returns the sentence for whoever wrote the name. */
export function describeMisspeltName({ name, nearest }: MisspeltName): string {
  return `the variable ${name} is no setting; did you mean ${nearest}?`;
}

/** Returns the number of insertions, deletions and replacements between two texts. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
