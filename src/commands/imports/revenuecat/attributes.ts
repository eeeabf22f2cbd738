// Attributes in RevenueCat's exports: a JSON object of values with their times, or of bare texts.
import { z } from 'zod';
import type { ImportedCustomer } from '../../../domain/imports/facts.js';
import type { FileRow } from '../../../domain/imports/problems.js';
import { isoFromMs } from '../../../domain/time.js';
import { jsonIn } from './cells.js';

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
