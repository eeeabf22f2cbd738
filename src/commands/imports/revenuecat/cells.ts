// Rows and cells of RevenueCat's exports, in the forms of all their versions: booleans `t` and `true`, lists `{a,b}` and `["a","b"]`, times
// with a
import { z } from 'zod';
import type { ImportedCustomer } from '../../../domain/imports/facts.js';
import type { FileRow, ReadRow } from '../../../domain/imports/problems.js';
import { validationMessagesOf } from '../../../domain/values/validation-messages.js';
import { isoFromMs } from '../../../domain/time.js';
import { parseJson } from '../../../domain/values/json.js';

/**
 * A cell that has none of the forms. Its message names the column, not the value: reports are stored, and in a row of shifted columns any
 * value may be personal.
 */
export class UnreadableCell extends Error {
  constructor(column: string, expected: string) {
    super(`${column}: not ${expected}`);
    this.name = 'UnreadableCell';
  }
}

type Values = FileRow['values'];

export function textIn(values: Values, column: string): string | null {
  const value = values[column];
  return value === undefined || value === null || value === '' ? null : value;
}

export function requiredText(values: Values, column: string): string {
  const value = textIn(values, column);
  if (value === null) throw new UnreadableCell(column, 'given');
  return value;
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/;
const MILLISECONDS = /^\d{12,14}$/;

/** Returns the time as ISO 8601 UTC with milliseconds; a time without a zone is UTC. */
export function timeIn(values: Values, column: string): string | null {
  const value = textIn(values, column);
  if (value === null) return null;
  if (MILLISECONDS.test(value)) return isoFromMs(Number(value));
  const [, day, time = '00:00:00', zone = 'Z'] = TIME.exec(value) ?? [];
  const ms = isDay(day) ? Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone}`) : NaN;
  if (Number.isNaN(ms)) throw new UnreadableCell(column, 'a time such as 2026-04-13 08:00:00');
  return isoFromMs(ms);
}

/** A day such as 31 February is not read as one of March. */
function isDay(day: string | undefined): day is string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && isoFromMs(ms).startsWith(`${day}T`);
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...(['t', 'true', '1'] as const).map((text) => [text, true] as const),
  ...(['f', 'false', '0'] as const).map((text) => [text, false] as const),
]);

/** Returns false for an empty cell. */
export function booleanIn(values: Values, column: string): boolean {
  const value = textIn(values, column);
  if (value === null) return false;
  const known = BOOLEANS.get(value.toLowerCase());
  if (known === undefined) throw new UnreadableCell(column, 'true or false');
  return known;
}

export function numberIn(values: Values, column: string): number | null {
  const value = textIn(values, column);
  if (value === null) return null;
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : NaN;
  if (!Number.isFinite(number)) throw new UnreadableCell(column, 'a number');
  return number;
}

/** Converts whole units of a currency to micro-units. */
export function microsIn(values: Values, column: string): number | null {
  const amount = numberIn(values, column);
  return amount === null ? null : Math.round(amount * 1_000_000);
}

export function listIn(values: Values, column: string): readonly string[] {
  const value = textIn(values, column);
  if (value === null) return [];
  const json = parseJson(value);
  if (Array.isArray(json) && json.every((item) => typeof item === 'string')) return json;
  // Texts without quotation marks, or with those of another language.
  const [, inner] = /^[{[](.*)[}\]]$/.exec(value) ?? [];
  if (inner === undefined || (json !== undefined && value !== '{}'))
    throw new UnreadableCell(column, 'a list of texts');
  return inner.trim() === '' ? [] : inner.split(',').map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

function jsonIn(values: Values, column: string): unknown {
  const value = textIn(values, column);
  if (value === null) return null;
  try {
    return JSON.parse(value);
  } catch {
    throw new UnreadableCell(column, 'JSON');
  }
}

const dated = z.object({ value: z.string().nullable(), updated_at_ms: z.number().min(0).max(4_102_444_800_000) });
const cell = z.record(z.string(), z.union([dated, z.string(), z.number(), z.boolean(), z.null()])).nullable();

/** Returns the values that are set. A value without a time gets `undatedAt` (ISO 8601 UTC). Throws `UnreadableCell` and `ZodError`. */
export function attributesOf(
  values: FileRow['values'],
  column: string,
  undatedAt = '1970-01-01T00:00:00.000Z',
): ImportedCustomer['attributes'] {
  const entries = Object.entries(cell.parse(jsonIn(values, column)) ?? {});
  return Object.fromEntries(
    entries.flatMap(([key, one]) => {
      const [value, updatedAt] =
        typeof one === 'object' && one !== null ? [one.value, isoFromMs(one.updated_at_ms)] : [one, undatedAt];
      return value === null || value === '' ? [] : [[key, { value: String(value), updatedAt }]];
    }),
  );
}

/** Returns a customer of whom only the name is known. */
export function unknownCustomer(name: string): ImportedCustomer {
  const unknown = { firstSeenAt: null, lastSeenAt: null, country: null, platform: null };
  return { appUserId: name, aliases: [], ...unknown, attributes: {} };
}

/** Returns a problem for a row that cannot be read. */
export function orProblem(from: FileRow['from'], read: () => ReadRow): ReadRow {
  try {
    return read();
  } catch (err) {
    if (!(err instanceof UnreadableCell || err instanceof z.ZodError)) throw err;
    const detail = err instanceof z.ZodError ? validationMessagesOf(err.issues).join('; ') : err.message;
    return { facts: [], problems: [{ code: 'unreadable', from, detail }] };
  }
}
