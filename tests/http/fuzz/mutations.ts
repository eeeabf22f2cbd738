// Plans of how a right request is made wrong, as fast-check draws and shrinks them, and their execution on a path and a body.
import fc from 'fast-check';

/** Fractions pick one of whatever the body or path has at that point. */
export type Mutation =
  | { readonly kind: 'drop'; readonly at: number }
  | { readonly kind: 'replace'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'wrap'; readonly at: number }
  | { readonly kind: 'add'; readonly at: number; readonly name: string; readonly value: unknown }
  | { readonly kind: 'whole'; readonly value: unknown };

export type RequestPlan = {
  readonly mutations: readonly Mutation[];
  /** A path parameter becomes this, as it stands. */
  readonly segment: { readonly at: number; readonly text: string } | null;
  readonly query: string;
  readonly contentType: string | null;
};

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '$gt',
  '$where',
  'a.b',
  '',
  'x'.repeat(300),
  '\u0000',
  'id',
];
const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    'null',
    'x'.repeat(300),
    'x'.repeat(5000),
    '🦊',
    '\u0000',
    '\ud800',
    'é\u0301',
    '__proto__',
    '$gt',
  ],
  ...['a.b', '../../..', '%00', '<b>', "' or 1=1", '1e999', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00+14:00'],
  ...['9999-12-31T23:59:59-14:00', '1969-12-31T23:59:59Z', '2026-02-30T00:00:00Z', 'P1M', 'P99999999999Y', 'P400000D'],
];
const NUMBERS = [0, -1, 0.5, -0, 1e308, 2 ** 53, -(2 ** 53), 8.64e15, 8.64e15 + 1, 4_102_444_800_000];
const SEGMENTS = [
  ...['%', '%00', '%ED%A0%80', '%2F', '%F0%9F%A6%8A', '__proto__', 'constructor', '$gt', 'a.b', 'x', 'x'.repeat(300)],
  ...['cus_%00', `cus_${'0'.repeat(26)}`, `proj_${'0'.repeat(26)}`, '%20', 'null', '%27', '%25', '(%2B)+$'],
];
const QUERIES = [
  ...[
    '',
    'limit=0',
    'limit=1&limit=2',
    'limit=-1',
    'limit=1e9',
    'limit=%00',
    'limit[$gt]=1',
    'a[$ne]=1',
    '__proto__=1',
  ],
  ...['startingAfter=', 'startingAfter=x', 'startingAfter=%00', 'startingAfter=app_%00', 'startingAfter=%F0%9F%A6%8A'],
  ...['search=', 'search=%', 'search=%00', 'search=(a%2B)%2B$', 'search=a&startingAfter=cus_x', 'search=%F4%8F%BF%BF'],
  ...[
    'order=newest',
    'order=up',
    'productIds=',
    'productIds=,,',
    'productIds=%00',
    'productIds=a&productIds=b',
    '&&==&',
  ],
];

/** Generates values of wrong types. `ids`: real IDs of this tenant and of others. */
export function oddValues(ids: readonly string[]): fc.Arbitrary<unknown> {
  const deep = fc.constant(Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 'x'));
  const leaf = fc.constantFrom<unknown>(null, true, false, [], {}, ...TEXTS, ...NUMBERS, ...ids);
  const evil = fc.constantFrom<unknown>(
    ...[{ $gt: '' }, { $ne: null }, { 'a.b': 1 }, [null], [[]], { value: 'x', updatedAtMs: -1 }],
  );
  const any = [evil, deep, fc.string({ unit: 'binary', maxLength: 12 }), fc.double(), fc.json({ maxDepth: 2 })];
  return fc.oneof({ weight: 6, arbitrary: leaf }, ...any);
}

/** `ids`: real ids, of this tenant and of others. */
export function requestPlans(ids: readonly string[]): fc.Arbitrary<RequestPlan> {
  const value = oddValues(ids);
  const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const mutation = fc.oneof<fc.Arbitrary<Mutation>[]>(
    fc.record({ kind: fc.constant('drop' as const), at }),
    fc.record({ kind: fc.constant('replace' as const), at, value }),
    fc.record({ kind: fc.constant('replace' as const), at, value }),
    fc.record({ kind: fc.constant('wrap' as const), at }),
    fc.record({ kind: fc.constant('add' as const), at, name: fc.constantFrom(...NAMES), value }),
    fc.record({ kind: fc.constant('whole' as const), value }),
  );
  const segment = fc.record({ at, text: fc.constantFrom(...SEGMENTS, ...ids) });
  const types = ['text/plain', 'application/json; charset=utf-16', 'application/json;', 'x'];
  return fc.record({
    mutations: fc.array(mutation, { maxLength: 3 }),
    segment: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, segment),
    query: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 2, arbitrary: fc.constantFrom(...QUERIES) },
      fc.constantFrom(...ids).map((id) => `startingAfter=${encodeURIComponent(id)}&limit=2`),
    ),
    contentType: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, fc.constantFrom(...types)),
  });
}

/** `path` is the route's, `filled` the same with values. */
export function mutatePath(path: string, filled: string, { segment, query }: RequestPlan): string {
  const parts = filled.split('/');
  const params = path.split('/').flatMap((part, i) => (part.startsWith(':') ? [i] : []));
  const target = segment === null ? undefined : params[Math.floor(segment.at * params.length)];
  if (segment !== null && target !== undefined) parts[target] = segment.text;
  return `${parts.join('/')}${query === '' ? '' : `?${query}`}`;
}

export function mutateBody(body: unknown, mutations: readonly Mutation[]): unknown {
  return mutations.reduce<unknown>((before, mutation) => {
    if (mutation.kind === 'whole') return mutation.value;
    const after: unknown = structuredClone(before);
    const places = placesIn(after);
    const place = places[Math.floor(mutation.at * places.length)];
    if (place) change(place, mutation);
    return after;
  }, body);
}

type Place = { readonly parent: object; readonly key: string };

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [{ parent: value, key }, ...placesIn(child)]);
}

function change({ parent, key }: Place, mutation: Exclude<Mutation, { kind: 'whole' }>): void {
  switch (mutation.kind) {
    case 'drop':
      return void Reflect.deleteProperty(parent, key);
    case 'replace':
      return define(parent, key, mutation.value);
    case 'wrap':
      return define(parent, key, [Reflect.get(parent, key)]);
    case 'add':
      return define(parent, mutation.name, mutation.value);
  }
}

/** Not by assignment: `__proto__` must become a field like any other. */
function define(parent: object, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}
