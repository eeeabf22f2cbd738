// Values built from the schemas of the route table: of the right form, but with whatever a caller might put into each place.
import fc from 'fast-check';
import { z } from 'zod';
import type { Route } from '../../../src/http/dispatch/route.js';

export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly $ref?: string;
};

/** `odd` are the values to try everywhere. */
export function bodiesOf({ body }: Route, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return body ? valueOf(schemaOf(body), odd) : fc.constant(undefined);
}

/** A query string of the route's own parameters. */
export function queriesOf({ query }: Route, odd: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  if (!query) return fc.constant('');
  const { properties = {} } = schemaOf(query);
  const value = (schema: JsonSchema) => fc.oneof(valueOf(schema, odd), odd).map((v) => encoded(v));
  const pairs = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(schema)])),
    { requiredKeys: [] },
  );
  return pairs.map((all) =>
    Object.entries(all)
      .map(([name, text]) => `${name}=${text}`)
      .join('&'),
  );
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
}

/** Returns values of a schema in JSON. */
export function valueOf(schema: JsonSchema, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices && choices.length > 0) return fc.oneof(...choices.map((one) => valueOf(one, odd)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return objectOf(schema, odd);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, odd), { maxLength: 3 });
    case 'string':
      return stringOf(schema, odd);
    case 'integer':
      return fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(0, 1, -1, 2 ** 53));
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'boolean':
      return fc.boolean();
    default:
      return odd;
  }
}

/** Every fifth place holds something odd instead. */
function objectOf({ properties = {}, required = [] }: JsonSchema, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ weight: 4, arbitrary: valueOf(schema, odd) }, { weight: 1, arbitrary: odd }),
  ]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] as never[] });
}

function stringOf({ format }: JsonSchema, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const texts = odd.filter((v) => typeof v === 'string');
  if (format === 'date-time')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((d) => d.toISOString()),
      texts,
    );
  return fc.oneof(fc.string({ maxLength: 20 }), fc.stringMatching(/^[a-z][a-z0-9.]{0,11}$/), texts);
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 2000);
}
