// The comparison of two versions of the interface reports breaking changes and lets others pass.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { findBreakingChanges, type OpenApiDocument } from '../../scripts/openapi/compare/breaking-changes.js';

type Change = (operation: Operation, document: Document) => void;
type Document = ReturnType<typeof sample>;
type Operation = Document['paths']['/things/{id}']['post'];
type Response = { headers?: object; content?: object };

/** One operation with a parameter, a body and a response that use the same component, which refers to itself. */
function sample() {
  const text: Record<string, unknown> = { type: 'string', maxLength: 100 };
  const kind: Record<string, unknown> = { type: 'string', enum: ['a', 'b'] };
  return {
    components: {
      schemas: {
        Thing: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: {
            name: text,
            kind,
            price: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
            parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          } as Record<string, Record<string, unknown>>,
        },
      },
      parameters: { Limit: { in: 'query', name: 'limit', required: false, schema: { type: 'integer', maximum: 100 } } },
    },
    paths: {
      '/things/{id}': {
        post: {
          parameters: [
            { $ref: '#/components/parameters/Limit' },
            { in: 'path', name: 'id', required: true },
          ] as object[],
          security: [{ user: [] }, { key: [] }] as object[],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: {
            200: {
              headers: { 'x-position': {} },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
            404: {},
          } as Record<number, Response>,
        },
      },
    },
  };
}
function changesOf(change: Change): readonly string[] {
  const after = sample();
  change(after.paths['/things/{id}'].post, after);
  const found = findBreakingChanges(sample() as never, after as never);
  return found.map((line) => line.replace('POST /things/{id}: ', ''));
}
const thing = (document: Document) => document.components.schemas.Thing;

describe('breaking changes of the interface', () => {
  const breaking: readonly (readonly [title: string, change: Change, found: readonly string[]])[] = [
    ['a removed operation', (_o, d) => Reflect.deleteProperty(d.paths, '/things/{id}'), ['is removed']],
    ['a removed parameter', (o) => o.parameters.shift(), ['query parameter limit: is no longer accepted']],
    [
      'a new required parameter',
      (o) => o.parameters.push({ in: 'query', name: 'x', required: true }),
      ['query parameter x: is new and required'],
    ],
    [
      'a parameter with a lower maximum',
      (_o, d) => (d.components.parameters.Limit.schema.maximum = 50),
      ['query parameter limit: maximum is now 50'],
    ],
    ['a body that is now required', (o) => (o.requestBody.required = true), ['body: is now required']],
    ['a removed response', (o) => Reflect.deleteProperty(o.responses, 200), ['response 200: is no longer returned']],
    [
      'a removed header',
      (o) => (o.responses[200] = { ...o.responses[200], headers: {} }),
      ['response 200 header x-position: is no longer returned'],
    ],
    ['removed credentials', (o) => o.security.pop(), ['credentials: key is no longer accepted']],
    [
      'a removed property',
      (_o, d) => Reflect.deleteProperty(thing(d).properties, 'kind'),
      ['body.kind: is no longer accepted', 'response 200.kind: is no longer returned'],
    ],
    ['a property that is now required', (_o, d) => thing(d).required.push('kind'), ['body.kind: is now required']],
    [
      'a property that may now be missing',
      (_o, d) => thing(d).required.pop(),
      ['response 200.name: may now be missing'],
    ],
    [
      'another type',
      (_o, d) => (thing(d).properties['name'] = { type: 'integer' }),
      ['body.name: no longer accepts string', 'response 200.name: may now be integer'],
    ],
    [
      'a wider type',
      (_o, d) => (thing(d).properties['price'] = { anyOf: [{ type: 'number' }, { type: 'null' }] }),
      ['response 200.price: may now be number'],
    ],
    [
      'a narrower type',
      (_o, d) => (thing(d).properties['price'] = { type: 'integer' }),
      ['body.price: no longer accepts null'],
    ],
    [
      'a removed value',
      (_o, d) => (thing(d).properties['kind'] = { type: 'string', enum: ['a'] }),
      ['body.kind: no longer accepts "b"'],
    ],
    [
      'a shorter text',
      (_o, d) => (thing(d).properties['name'] = { type: 'string', maxLength: 10 }),
      ['body.name: maxLength is now 10'],
    ],
    [
      'a new pattern',
      (_o, d) => (thing(d).properties['name'] = { type: 'string', maxLength: 100, pattern: '^a' }),
      ['body.name: has another pattern'],
    ],
  ];
  for (const [title, change, found] of breaking) {
    it(`are ${title}`, () => expect(changesOf(change)).to.deep.equal(found));
  }

  const harmless: readonly (readonly [title: string, change: Change])[] = [
    ['nothing', () => undefined],
    ['a new operation', (o, d) => Object.assign(d.paths, { '/others': { get: o } })],
    ['another name of a path parameter', (o, d) => Object.assign(d, { paths: { '/things/{tid}': { post: o } } })],
    ['a new optional parameter', (o) => o.parameters.push({ in: 'query', name: 'x' })],
    ['a new optional property', (_o, d) => (thing(d).properties['more'] = { type: 'string' })],
    ['a new value', (_o, d) => (thing(d).properties['kind'] = { type: 'string', enum: ['a', 'b', 'c'] })],
    ['a longer text', (_o, d) => (thing(d).properties['name'] = { type: 'string', maxLength: 200 })],
    ['further credentials', (o) => o.security.push({ other: [] })],
    ['another error', (o) => Reflect.deleteProperty(o.responses, 404)],
  ];
  for (const [title, change] of harmless) {
    it(`are not ${title}`, () => expect(changesOf(change)).to.deep.equal([]));
  }

  it('are found in the real document, and none between it and itself', () => {
    const read = () =>
      JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument;
    const after = read();
    Reflect.deleteProperty(after.paths, '/auth/me');
    Reflect.deleteProperty(after.components?.schemas?.['Customer']?.properties ?? {}, 'status');
    expect(findBreakingChanges(read(), read())).to.deep.equal([]);
    expect(findBreakingChanges(read(), after)).to.include.members([
      'GET /auth/me: is removed',
      'GET /v1/projects/{id}/customers: response 200.items[].status: is no longer returned',
    ]);
  });
});
