// Polyfill of the three metadata functions that the dependency container of the certificate library requires at load time. Import it before
// the library.

type Metadata = Map<unknown, unknown>;

const metadataByTarget = new WeakMap<object, Metadata>();

function getOwn(key: unknown, target: object): unknown {
  return metadataByTarget.get(target)?.get(key);
}

function getInherited(key: unknown, target: object): unknown {
  for (let at: object | null = target; at !== null; at = Reflect.getPrototypeOf(at)) {
    const found = getOwn(key, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function define(key: unknown, value: unknown, target: object): void {
  const metadata = metadataByTarget.get(target) ?? new Map<unknown, unknown>();
  metadataByTarget.set(target, metadata.set(key, value));
}

const functions = { getMetadata: getInherited, getOwnMetadata: getOwn, defineMetadata: define };
// Keeps an existing complete polyfill.
if (!('getMetadata' in Reflect)) Object.assign(Reflect, functions);
