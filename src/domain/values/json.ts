// Texts that may not be JSON, and values whose form is not known. Threads of the databases load it, so that it imports no library.
/** Parses a text that may not be JSON; it is undefined then, which no schema accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller's schema refuses it.
    return undefined;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** Returns true for an object with fields, of whatever kind. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value as an object with fields; an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns the objects of a list; an empty list for anything else. */
export function listOfFields(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Returns true if two values are the same JSON, apart from the order of keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [x, y] = [definedEntries(a), new Map(definedEntries(b))];
  return x.length === y.size && x.every(([key, value]) => isSameJson(value, y.get(key)));
}

function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, v]) => v !== undefined);
}
