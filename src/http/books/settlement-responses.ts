// Settlement of a charge or refund: whether a report of the store agrees with it.
import { z } from 'zod';
import { causes } from '../../domain/books/entries.js';
import { settlementStatuses, type Settlement } from '../../projections/books/settlement.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import { month } from './report-responses.js';
import { amounts, presentAmounts, reportRow } from './responses.js';

export const settlement = z
  .strictObject({
    status: z.enum(settlementStatuses).meta({
      description:
        '`settled`: the report agrees. `differs`: it has the charge with a difference. `estimated`: no report of what is settled has it yet.',
    }),
    cause: z.enum(causes),
    month,
    currency: z.string(),
    count: z.int().meta({ description: 'More than 1 for the ios-store: the amounts are of a group of equal charges.' }),
    ours: amounts.nullable(),
    store: amounts.nullable(),
    rows: z.array(reportRow),
  })
  .meta({ id: 'Settlement' });

export function presentSettlement(found: Settlement | null): BodyOf<typeof settlement> | null {
  if (!found) return null;
  const { status, month: of, entry } = found;
  const { cause, currency, count, ours, store, rows } = entry;
  return {
    ...{ status, cause, month: of, currency, count, rows: [...rows] },
    ours: ours && presentAmounts(ours, currency),
    store: store && presentAmounts(store, currency),
  };
}
