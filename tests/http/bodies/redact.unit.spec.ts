// Redaction of bodies for callers without all permissions.
import { expect } from 'chai';
import { z } from 'zod';
import { FULL_VISIBILITY, type FieldVisibility } from '../../../src/domain/values/field-groups.js';
import { createRedaction } from '../../../src/http/bodies/redact.js';
import {
  eventData,
  money,
  moneyAndPersonal,
  personal,
  secret,
  RedactableText,
  redactableText,
} from '../../../src/http/bodies/response-schemas.js';

const analyst: FieldVisibility = { money: true, personal: false, secret: false };
const support: FieldVisibility = { money: false, personal: true, secret: false };

describe('what a caller may not see', () => {
  const seen = (schema: z.ZodType, visibility: FieldVisibility, body: unknown): unknown =>
    JSON.parse(JSON.stringify(createRedaction(schema)(visibility)(body)));

  it('is omitted from objects, lists, records and forms of a union at any depth', () => {
    const item = z.strictObject({ id: z.string(), amount: money(z.number()), note: personal(z.string().nullable()) });
    const form = z.union([z.strictObject({ raw: moneyAndPersonal(z.string()) }), z.strictObject({ id: z.string() })]);
    const schema = z.strictObject({
      items: z.array(item),
      byName: z.record(z.string(), item).optional(),
      form: form.nullable(),
      url: secret(z.string()),
    });
    const one = { id: 'a', amount: 1, note: null };
    const body = { items: [one], byName: { money: one }, form: { raw: 'x' }, url: 'https://secret' };
    expect(seen(schema, analyst, body)).to.deep.equal({
      items: [{ id: 'a', amount: 1 }],
      byName: { money: { id: 'a', amount: 1 } },
      form: {},
    });
    expect(seen(schema, support, body)).to.deep.equal({
      items: [{ id: 'a', note: null }],
      byName: { money: { id: 'a', note: null } },
      form: {},
    });
    expect(seen(schema, support, { ...body, form: null })).to.include({ form: null });
    expect(body.items[0], 'the body itself').to.deep.equal({ id: 'a', amount: 1, note: null });
  });

  it('is nothing for who sees everything: the body stays the same object', () => {
    const body = { amount: 1 };
    expect(createRedaction(z.strictObject({ amount: money(z.number()) }))(FULL_VISIBILITY)(body)).to.equal(body);
  });

  it('is nothing where the schema marks nothing', () => {
    const body = { amount: 1 };
    expect(createRedaction(z.strictObject({ amount: z.number() }))(support)(body)).to.equal(body);
  });

  it('has another wording; a plain text in the place of a redactable one is omitted', () => {
    const schema = z.strictObject({ summary: redactableText.nullable() });
    const summary = new RedactableText(({ money: isSeen }) => (isSeen ? 'paid 9.99' : 'paid'));
    expect(seen(schema, support, { summary })).to.deep.equal({ summary: 'paid' });
    expect(seen(schema, analyst, { summary })).to.deep.equal({ summary: 'paid 9.99' });
    expect(seen(schema, FULL_VISIBILITY, { summary })).to.deep.equal({ summary: 'paid 9.99' });
    expect(seen(schema, support, { summary: 'paid 9.99' })).to.deep.equal({});
    expect(seen(schema, support, { summary: null })).to.deep.equal({ summary: null });
  });

  it('follows from the type of an event; nothing of an unknown one is shown', () => {
    const schema = z.strictObject({ type: z.string(), data: eventData.optional() });
    const attributes = { plan: { value: 'x', updatedAt: '2026-11-20T10:00:00.000Z' } };
    const changed = { type: 'CustomerAttributesUpdated', data: { attributes } };
    expect(seen(schema, analyst, changed)).to.deep.equal({ type: 'CustomerAttributesUpdated' });
    expect(seen(schema, support, changed)).to.deep.equal(changed);
    const refunded = { type: 'TransactionRefunded', data: { transactionId: 't', refund: { kind: 'full', share: 1 } } };
    expect(seen(schema, support, refunded)).to.deep.equal({
      type: 'TransactionRefunded',
      data: { transactionId: 't', refund: { kind: 'full' } },
    });
    expect(seen(schema, support, { type: 'New', data: { price: 1 } })).to.deep.equal({ type: 'New' });
  });
});
