// Work on the books in steps. A month may have a million lines, and the process that compares them serves requests meanwhile.

/** Work that pauses after each small step and returns its result at the end. The caller decides what comes between. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Groups items by a key, in the order in which the keys first occur. */
export function* groupInSteps<T>(items: Iterable<T>, keyOf: (item: T) => string): Steps<Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
    yield;
  }
  return groups;
}
