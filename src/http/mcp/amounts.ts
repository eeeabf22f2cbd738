// Amounts of money in answers: decimal texts, which no assistant rounds on the way. Counts, rates and shares are numbers.
import { z } from 'zod';
import { groupsOf } from '../../domain/values/field-groups.js';

const amount = z.string().regex(/^-?\d+(\.\d+)?$/);

/** Figure of a chart: text for an amount of money, number for a count or a percentage. */
export const figure = z.union([z.number(), amount]);

/** Returns the decimal text of an amount in currency units: the digits of the REST API, never with an exponent. */
function amountText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }) : text;
}

/** Returns a figure as answers present it. `unit`: `count`, `percent`, or a currency in lower case. */
export function toFigure<T>(unit: string, value: T): T | string {
  const isMoney = unit !== 'count' && unit !== 'percent';
  return isMoney && typeof value === 'number' ? amountText(value) : value;
}

/** Maps the values of measures, each with the unit of its measure. Values of other names are counts and marks. */
export function mapFigures<T, R>(
  measures: readonly { readonly id: string; readonly unit: string }[],
  values: Readonly<Record<string, T>>,
  map: (unit: string, value: T) => R,
): Record<string, R> {
  const units = new Map(measures.map(({ id, unit }) => [id, unit]));
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, map(units.get(id) ?? 'count', value)]));
}

/** Returns the schema of an answer: numbers that the routes mark as money are decimal texts. */
export function withAmountTexts(schema: z.ZodObject): z.ZodObject {
  return replaceAmounts(schema, amount, false) as z.ZodObject;
}

/** Returns a schema that reads the numbers of the routes and writes an answer for {@link withAmountTexts}. */
export function writingAmountTexts(schema: z.ZodObject): z.ZodObject {
  return replaceAmounts(schema, z.number().transform(amountText), false) as z.ZodObject;
}

/** Returns the same schema if it has no amounts. */
function replaceAmounts(schema: z.ZodType, by: z.ZodType, isInMoney: boolean): z.ZodType {
  const isMoney = isInMoney || groupsOf(schema).includes('money');
  const inside = (part: unknown) => replaceAmounts(part as z.ZodType, by, isMoney);
  if (schema instanceof z.ZodNumber) return isMoney ? by : schema;
  if (schema instanceof z.ZodObject) return replaceFields(schema, inside);
  if (schema instanceof z.ZodArray) return replacePart(schema, schema.element, inside, z.array);
  if (schema instanceof z.ZodOptional) return replacePart(schema, schema.unwrap(), inside, z.optional);
  if (schema instanceof z.ZodNullable) return replacePart(schema, schema.unwrap(), inside, z.nullable);
  return schema;
}

function replaceFields(schema: z.ZodObject, inside: (part: unknown) => z.ZodType): z.ZodObject {
  const changed = Object.entries(schema.shape).flatMap(([name, field]) => {
    const replaced = inside(field);
    return replaced === field ? [] : [[name, replaced] as const];
  });
  return changed.length === 0 ? schema : schema.extend(Object.fromEntries(changed));
}

function replacePart(
  schema: z.ZodType,
  part: unknown,
  inside: (part: unknown) => z.ZodType,
  wrap: (replaced: z.ZodType) => z.ZodType,
): z.ZodType {
  const replaced = inside(part);
  if (replaced === part) return schema;
  const description = schema.description;
  return description === undefined ? wrap(replaced) : wrap(replaced).meta({ description });
}
