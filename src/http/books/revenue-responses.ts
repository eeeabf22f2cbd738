// Response schemas of the revenue schedule. Amounts are decimal texts beside their currency.
import { z } from 'zod';
import { revenueBases } from '../../domain/books/delivery.js';
import { printAmount } from '../../domain/books/report-values.js';
import type { ScheduleRow, WaterfallRow } from '../../domain/books/schedule.js';
import type { CellPart } from '../../projections/books/revenue.js';
import { money, time, type BodyOf } from '../bodies/response-schemas.js';

const amount = money(z.string());
export const monthText = z.string().meta({ description: '`yyyy-mm`.' });

const settingFields = {
  basis: z.enum(revenueBases).nullable().meta({
    description:
      '`gross`: revenue is what buyers pay, with tax and the store’s fee. `net`: what is left after both. Null: not set yet; no revenue is computed.',
  }),
  timeZone: z.string().meta({ description: 'IANA time zone in which days and months are counted.' }),
  lifetimeMonths: z.int().meta({
    description: 'Months over which a purchase without an end is recognised; 0: at once.',
  }),
};

export const booksSettings = z
  .strictObject({ object: z.literal('books_settings'), ...settingFields })
  .meta({ id: 'BooksSettings' });

/** Says what to do while nobody has decided how revenue is counted. */
export const BASIS_NOTICE =
  'No revenue is computed: set whether it is gross (what buyers pay) or net (after tax and the store’s fee) with PUT …/books/settings.';

const notice = z.string().nullable().meta({ description: 'What to do before there are figures; null if there are.' });

const row = z.strictObject({
  month: monthText,
  currency: z.string(),
  opening: amount.meta({ description: 'Deferred at the start of the month.' }),
  billed: amount,
  recognised: amount.meta({ description: 'Less what had been recognised of charges that were refunded.' }),
  refunded: amount,
  closing: amount.meta({ description: '`opening` + `billed` − `recognised` − `refunded`.' }),
});

export const booksSchedule = z
  .strictObject({
    object: z.literal('books_schedule'),
    ...settingFields,
    notice,
    from: monthText,
    to: monthText,
    unpriced: z.int().meta({ description: 'Charges whose price is unknown; they are in no figure.' }),
    rows: z.array(row),
  })
  .meta({ id: 'BooksSchedule' });

const waterfallRow = z.strictObject({
  month: monthText.meta({ description: 'Month billed.' }),
  currency: z.string(),
  billed: amount,
  refunded: amount,
  cells: z.array(z.strictObject({ month: monthText.meta({ description: 'Month recognised.' }), recognised: amount })),
  later: amount.meta({
    description: 'Recognised after the last month. `billed` is the sum of cells, this and `refunded`.',
  }),
});

export const booksWaterfall = z
  .strictObject({
    object: z.literal('books_waterfall'),
    ...settingFields,
    notice,
    from: monthText,
    to: monthText,
    rows: z.array(waterfallRow),
  })
  .meta({ id: 'BooksWaterfall' });

export const cellPart = z
  .strictObject({
    object: z.literal('schedule_transaction'),
    transactionId: z.string(),
    customerId: z.string(),
    appId: z.string(),
    storeProductId: z.string(),
    purchasedAt: time,
    currency: z.string(),
    billed: amount,
    recognised: amount.meta({ description: 'In the month of the cell.' }),
  })
  .meta({ id: 'ScheduleTransaction' });

export function presentRow({ month, currency, ...amounts }: ScheduleRow): BodyOf<typeof row> {
  const print = (micros: number) => printAmount(micros, currency);
  const { opening, billed, recognised, refunded, closing } = amounts;
  return {
    ...{ month, currency, opening: print(opening), billed: print(billed), recognised: print(recognised) },
    ...{ refunded: print(refunded), closing: print(closing) },
  };
}

export function presentWaterfallRow(of: WaterfallRow): BodyOf<typeof waterfallRow> {
  const { month, currency, billed, refunded, cells, later } = of;
  const print = (micros: number) => printAmount(micros, currency);
  return {
    ...{ month, currency, billed: print(billed), refunded: print(refunded), later: print(later) },
    cells: cells.map((cell) => ({ month: cell.month, recognised: print(cell.recognised) })),
  };
}

export function presentCellPart({ sku, ...part }: CellPart): BodyOf<typeof cellPart> {
  const { billed, recognised, ...fields } = part;
  const print = (micros: number) => printAmount(micros, part.currency);
  return {
    ...{ object: 'schedule_transaction', ...fields, storeProductId: sku },
    ...{ billed: print(billed), recognised: print(recognised) },
  };
}
