// Refusals say what is expected, in one form for all fields.
import { expect } from 'chai';
import { z } from 'zod';
import { RetryLater, StoreUnavailable, Unavailable } from '../../../src/domain/errors.js';
import { attributesSchema } from '../../../src/http/subscribers/attributes.js';
import { errorResponse } from '../../../src/http/bodies/errors.js';

const messageOf = (schema: z.ZodType, value: unknown) => errorResponse(schema.safeParse(value).error).body.message;

describe('a refused input', () => {
  const body = z.strictObject({ attributes: attributesSchema });
  const one = (a: unknown) => messageOf(body, { attributes: { a } });

  it('is refused an attribute that is neither text nor null', () => {
    for (const value of [1, true, ['x']]) expect(one(value)).to.equal('attributes.a must be a string or null');
    expect(one('x'.repeat(501))).to.match(/^attributes\.a must have at most 500 characters/);
    expect(one({ value: 1, updatedAtMs: 1 })).to.equal('attributes.a.value must be a string');
    expect(one({ value: 'x' })).to.equal('attributes.a.updatedAtMs is required');
    for (const value of [{ b: 1 }, {}]) expect(one(value)).to.equal('attributes.a must be a string or null');
  });

  const form = z.strictObject({
    name: z.string().min(1).max(5).optional(),
    kind: z.enum(['secret', 'public']).optional(),
    count: z.int().min(1).max(10).optional(),
    many: z.array(z.boolean()).max(2).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    id: z.uuid().optional(),
    email: z.email().optional(),
    code: z
      .string()
      .regex(/^[A-Z]+$/)
      .optional(),
    some: z.array(z.string()).min(1).optional(),
    pair: z.array(z.string()).min(2).optional(),
    choice: z.literal(['a', undefined, null]).optional(),
    nothing: z.literal([undefined]).optional(),
    sides: z.union([z.string(), z.array(z.strictObject({ at: z.string() }))]).optional(),
    notes: z
      .record(
        z.string().refine((key) => key.length < 3, 'is too long for a key'),
        z.string(),
      )
      .optional(),
  });
  const anApp = z.discriminatedUnion('platform', [
    z.strictObject({ platform: z.literal('ios') }),
    z.strictObject({ platform: z.literal('android') }),
  ]);
  const cases: readonly (readonly [value: unknown, message: string])[] = [
    [{ name: 1 }, 'name must be a string'],
    [{ name: 'toolong' }, 'name must have at most 5 characters'],
    [{ kind: 'x' }, 'kind must be one of secret, public'],
    [{ count: 0.5 }, 'count must be a whole number'],
    [{ count: 11 }, 'count must be at most 10'],
    [{ many: [1] }, 'many.0 must be true or false'],
    [{ many: [true, true, true] }, 'many must have at most 2 items'],
    [{ either: true }, 'either must be a string or a number'],
    [{ id: 'x' }, 'id must be a UUID'],
    [{ email: 'x' }, 'email must be an email address'],
    [{ code: 'x' }, 'code must match the pattern /^[A-Z]+$/'],
    [{ name: '' }, 'name must not be empty'],
    [{ some: [] }, 'some must not be empty'],
    [{ some: '' }, 'some must be a list'],
    [{ pair: ['x'] }, 'pair must have at least 2 items'],
    [{ choice: 'x' }, 'choice must be one of a, null'],
    [{ nothing: 1 }, 'nothing must be omitted'],
    [{ sides: 1 }, 'sides must be a string or a list'],
    [{ sides: [{ at: 1 }] }, 'sides.0.at must be a string'],
    [
      { sides: [{}, { at: 'x', to: 1 }] },
      'sides.0.at is required; sides.1: unknown field to; correct the name or omit it',
    ],
    [{ notes: { long: 'x' } }, 'notes.long is too long for a key'],
    [{ colour: 1 }, 'unknown field colour; correct the name or omit it'],
    ['x', 'the input must be an object'],
    [{ name: 1, count: 11 }, 'name must be a string; count must be at most 10'],
  ];
  for (const [value, message] of cases) {
    it(`${JSON.stringify(value)}: ${message}`, () => expect(messageOf(form, value)).to.equal(message));
  }

  it('names the choices when the field that decides the form is missing or unknown', () => {
    for (const value of [{}, { platform: 'x' }, { platform: 1 }]) {
      expect(messageOf(anApp, value)).to.equal('platform must be one of ios, android');
    }
  });

  it('keeps the text of our own rule about a key', () => {
    const text =
      'is not an attribute name; use a letter, then up to 39 letters, digits, _ or -, or a reserved name such as $email';
    expect(messageOf(body, { attributes: { $emai: 'x' } })).to.equal(`attributes.$emai ${text}`);
    expect(messageOf(body, { attributes: { constructor: 'x' } })).to.equal(
      'attributes.constructor is not allowed as an attribute name',
    );
  });

  it('gets the missing fields in the message', () =>
    expect(messageOf(z.strictObject({ a: z.string() }), {})).to.equal('a is required'));
});

describe('a request that cannot be served now', () => {
  const cases: readonly (readonly [err: Unavailable, message: string])[] = [
    [new Unavailable('/data/log.sqlite cannot be written'), 'a part of the service is down; retry in 5 seconds'],
    [new Unavailable('EventStoreDB cannot be reached', 1), 'a part of the service is down; retry in 1 second'],
    [
      new StoreUnavailable('10.0.0.1 responded with 503', 60),
      'the app store cannot be reached or is busy; retry in 60 seconds',
    ],
    [
      new RetryLater('the offering was saved but is not readable yet; retry in 1 second', 1),
      'the offering was saved but is not readable yet; retry in 1 second',
    ],
  ];
  for (const [err, message] of cases) {
    it(`is answered with what to do: ${message}`, () => {
      const { body, retryAfterSeconds } = errorResponse(err);
      expect(body).to.deep.equal({ statusCode: 503, message, error: 'Service Unavailable' });
      expect(retryAfterSeconds).to.equal(err.retryAfterSeconds);
    });
  }
});
