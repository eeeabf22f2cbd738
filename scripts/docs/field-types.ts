// Converts an event's schema to TypeScript text. Schemas that several events share have a name and are declared once.
import { z } from 'zod';
import { jsonObject } from '../../src/domain/values/json-object.js';
import { moneySchema } from '../../src/domain/money.js';
import { audience } from '../../src/domain/experiment/events.js';
import * as blocks from '../../src/domain/subscriber/events/blocks.js';
import { storeKind } from '../../src/domain/store-kinds.js';

/** Names of shared schemas, in the order of the page. */
const blockNames = new Map<z.core.$ZodType, string>([
  [blocks.subscriptionPurchase, 'SubscriptionPurchase'],
  [blocks.oneTimePurchase, 'OneTimePurchase'],
  [moneySchema, 'Money'],
  [blocks.offer, 'Offer'],
  [blocks.refund, 'Refund'],
  [blocks.price, 'Price'],
  [audience, 'Audience'],
  [storeKind, 'Store'],
  [blocks.environment, 'Environment'],
  [blocks.periodType, 'PeriodType'],
  [blocks.expirationReason, 'ExpirationReason'],
  [blocks.cancelReason, 'CancelReason'],
  [blocks.refundPolicy, 'RefundPolicy'],
]);

/** Returns the declarations of all shared schemas. */
export function blockDeclarations(): string {
  return [...blockNames].map(([schema, name]) => `type ${name} = ${contentOf(schema)};`).join('\n\n');
}

/** Returns `type Name = {…};` for an event. */
export function declaration(name: string, schema: z.core.$ZodType): string {
  return `type ${name} = ${contentOf(schema)};`;
}

function textOf(schema: z.core.$ZodType): string {
  return blockNames.get(schema) ?? contentOf(schema);
}

function contentOf(schema: z.core.$ZodType): string {
  if (schema === blocks.instant || schema instanceof z.ZodISODateTime) return 'Instant';
  if (schema === jsonObject) return 'JsonObject';
  if (schema instanceof z.ZodNullable) return `${textOf(schema.unwrap())} | null`;
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => textOf(option)).join(' | ');
  if (schema instanceof z.ZodArray) return `(${textOf(schema.element)})[]`;
  if (schema instanceof z.ZodRecord) return `Record<string, ${textOf(schema.valueType)}>`;
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => `'${value}'`).join(' | ');
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(' | ');
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodISODate) return 'Day';
  if (schema instanceof z.ZodString) return 'string';
  if (schema instanceof z.ZodNumber) return 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodUnknown) return 'unknown';
  if (schema instanceof z.ZodCustom) return 'PurchaseLine';
  throw new Error(`no text for a schema of type ${schema._zod.def.type}`);
}

function objectOf({ shape }: z.ZodObject): string {
  const names = Object.keys(shape).join(' ');
  if (names === 'from to') return `Change<${textOf(valueOf(shape, 'to'))}>`;
  if (names === 'to') return `NewValue<${textOf(valueOf(shape, 'to'))}>`;
  const fields = Object.entries(shape).map(([name, field]) =>
    field instanceof z.ZodOptional ? `${name}?: ${textOf(field.unwrap())}` : `${name}: ${textOf(field)}`,
  );
  return `{\n${fields.join(';\n')};\n}`;
}

function valueOf(shape: z.core.$ZodShape, name: string): z.core.$ZodType {
  const value = shape[name];
  if (!value) throw new Error(`no field ${name}`);
  return value;
}
