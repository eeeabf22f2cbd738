// Result of a JSON round trip without creating the text: strings, most of the data, are shared.

/** Returns a deeply frozen copy. Throws for values that JSON cannot represent at all. */
export function freezeJson<T extends object>(value: T): T {
  return copy(value, '') as T;
}

const hasJsonForm = (value: object): value is { toJSON(key: string): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

function copy(value: unknown, key: string): unknown {
  switch (typeof value) {
    case 'object':
      break;
    case 'number':
      // JSON has no minus zero either.
      return Number.isFinite(value) ? value + 0 : null;
    case 'bigint':
      throw new TypeError('JSON cannot represent a bigint');
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Object.freeze(value.map((item, i) => copy(item, String(i)) ?? null));
  if (hasJsonForm(value)) return copy(value.toJSON(key), key);
  const copied: Record<string, unknown> = {};
  const parts = value as Record<string, unknown>;
  for (const name of Object.keys(parts)) {
    const part = copy(parts[name], name);
    if (part === undefined) continue;
    // A plain assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copied, name, { value: part, enumerable: true });
    else copied[name] = part;
  }
  return Object.freeze(copied);
}
