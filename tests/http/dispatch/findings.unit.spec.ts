// Refusals say what is expected, in one form for all fields.
import { expect } from 'chai';
import { z } from 'zod';
import { attributesSchema } from '../../../src/http/subscribers/attributes.js';
import { errorResponse } from '../../../src/http/bodies/errors.js';

const messageOf = (schema: z.ZodType, value: unknown) => errorResponse(schema.safeParse(value).error).body.message;

describe('a refused input', () => {
  const body = z.strictObject({ attributes: attributesSchema });
  const one = (a: unknown) => messageOf(body, { attributes: { a } });

  it('is refused an attribute that is neither text nor null', () => {
    for (const value of [1, true, ['x']]) expect(one(value)).to.equal('attributes.a must be a string or null');
    expect(one('x'.repeat(501))).to.match(/^attributes\.a must have at most 500 characters/);
    expect(one({ value: 1, updatedAtMs: 1 })).to.include('value must be a string');
  });

  const form = z.strictObject({
    name: z.string().min(1).max(5).optional(),
    kind: z.enum(['secret', 'public']).optional(),
    count: z.int().min(1).max(10).optional(),
    many: z.array(z.boolean()).max(2).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    id: z.uuid().optional(),
  });
  const cases: readonly (readonly [value: unknown, message: string])[] = [
    [{ name: 1 }, 'name must be a string'],
    [{ name: 'toolong' }, 'name must have at most 5 characters'],
    [{ kind: 'x' }, 'kind must be one of secret, public'],
    [{ count: 0.5 }, 'count must be a whole number'],
    [{ count: 11 }, 'count must be at most 10'],
    [{ many: [1] }, 'many.0 must be true or false'],
    [{ many: [true, true, true] }, 'many must have at most 2 items'],
    [{ either: true }, 'either must be a string or a number'],
    [{ id: 'x' }, 'id must be a valid uuid'],
    [{ colour: 1 }, 'unknown field colour; correct the name or leave it out'],
    ['x', 'the input must be an object'],
    [{ name: 1, count: 11 }, 'name must be a string; count must be at most 10'],
  ];
  for (const [value, message] of cases) {
    it(`${JSON.stringify(value)}: ${message}`, () => expect(messageOf(form, value)).to.equal(message));
  }

  it('gets the missing fields in the message', () =>
    expect(messageOf(z.strictObject({ a: z.string() }), {})).to.equal('a is required'));
});
