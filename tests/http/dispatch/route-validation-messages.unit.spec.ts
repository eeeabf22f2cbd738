// Every endpoint's refusals of a malformed body or query say something whole: no list that ends, no word of the library, no place twice.
import { expect } from 'chai';
import { z } from 'zod';
import { errorResponse } from '../../../src/http/bodies/errors.js';
import { routes } from '../../../src/http/routes.js';

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
};

const ODD = [
  ...[1, -1, 0.5, 1e20, 'x', '', 'x'.repeat(20_000), '\ud800', 'http://x', '2026-13-01', true, null],
  ...[[], ['x'], [1], [null], [{}], [{ a: 1 }], Array(200).fill('x'), {}, { a: 1 }, { a: { b: 1 } }, { $emai: 'x' }],
];
/** Phrases that no error message may contain. */
const FAULTS = [
  /must be (one of )?(;|$)/,
  /Invalid|Expected|received|Unrecognized/,
  /at least 1 \w+s\b/,
  /valid regex/,
  /undefined/,
];

function* oddValuesOf(schema: JsonSchema, base: object, depth = 0): Generator<unknown> {
  yield* ODD;
  for (const form of [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    for (const [name, inner] of Object.entries(form.properties ?? {})) {
      const field: unknown = (base as Record<string, unknown>)[name];
      const known = typeof field === 'object' && field !== null ? field : {};
      const values = depth < 2 ? oddValuesOf(inner, known, depth + 1) : ODD;
      for (const value of values) yield { ...base, [name]: value };
    }
    if (form.items && depth < 3) for (const value of oddValuesOf(form.items, {}, depth + 1)) yield [value];
  }
}

const inputs = routes.flatMap(({ method, path, body, query, example }) => [
  ...(body ? [{ name: `the body of ${method} ${path}`, schema: body, base: example ?? {} }] : []),
  ...(query ? [{ name: `the query of ${method} ${path}`, schema: query, base: {} }] : []),
]);

describe('a refusal of an endpoint', () => {
  for (const { name, schema, base } of inputs) {
    it(`is a whole sentence about ${name}`, () => {
      const form = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
      let refused = 0;
      for (const value of oddValuesOf(form, base)) {
        const { error } = schema.safeParse(value);
        if (!error) continue;
        refused += 1;
        const { message } = errorResponse(error).body;
        const shown = `${message} <= ${JSON.stringify(value).slice(0, 200)}`;
        for (const fault of FAULTS) expect(message, shown).not.to.match(fault);
        const types = message.split('; ').flatMap((text) => /^(\S+) must be (a|an) \w+$/.exec(text)?.[1] ?? []);
        expect(new Set(types).size, shown).to.equal(types.length);
      }
      expect(refused).to.be.above(0);
    });
  }
});
