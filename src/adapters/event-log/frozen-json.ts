// What comes back when a value is stored as JSON and read again, made without the text: strings, by far the most of it, are shared.

/** Deeply frozen. Throws for what JSON cannot hold at all. */
export function frozenJson<T extends object>(value: T): T {
  return copy(value, '') as T;
}

function copy(value: unknown, key: string): unknown {
  switch (typeof value) {
    case 'object':
      break;
    case 'number':
      // JSON has no minus zero either.
      return Number.isFinite(value) ? value + 0 : null;
    case 'bigint':
      throw new TypeError('JSON holds no bigint');
    case 'function':
    case 'symbol':
      return undefined;
    default:
      return value;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Object.freeze(value.map((item, i) => copy(item, String(i)) ?? null));
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(key), key);
  const copied: Record<string, unknown> = {};
  const parts = value as Record<string, unknown>;
  for (const name of Object.keys(parts)) {
    const kept = copy(parts[name], name);
    if (kept === undefined) continue;
    // A plain assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copied, name, { value: kept, enumerable: true });
    else copied[name] = kept;
  }
  return Object.freeze(copied);
}
