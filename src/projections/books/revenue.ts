// Revenue schedule of a project, computed on demand from its transactions in production. Remembered until one of them or a setting changes.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import { scanPages } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { BooksSettings } from '../../domain/books/closings.js';
import { deliver, type ChargeChange, type DeliveredCharge } from '../../domain/books/delivery.js';
import { addDays, addMonths, daysOfMonth } from '../../domain/books/report-values.js';
import { createScheduleBuilder, type Schedule } from '../../domain/books/schedule.js';
import { createDayOf } from '../../domain/books/time-zone.js';
import { msFromIso } from '../../domain/time.js';
import { moneyMovesOf, type MoneyMove } from '../models/transaction-money.js';
import { transactions, type TransactionDoc } from '../models/transactions.js';
import type { ReadModels } from '../queries/read-models.js';
import type { Progress } from '../runtime/progress.js';

/** Part of a charge that a month recognises. */
export type CellPart = {
  readonly transactionId: string;
  readonly customerId: string;
  readonly appId: string;
  readonly sku: string;
  readonly currency: string;
  readonly purchasedAt: string;
  readonly billed: number;
  readonly recognised: number;
};

/** Charges that are billed in a month and recognised in another, or the same. */
export type ScheduleCell = {
  readonly billedMonth: string;
  readonly month: string;
  readonly currency: string;
  readonly appId?: string | undefined;
};

export type Revenue = {
  schedule(projectId: string, settings: BooksSettings): Promise<Schedule>;
  /** Returns charges of a cell in order, at most `limit`, without the first `skip` of them. */
  cell(
    projectId: string,
    settings: BooksSettings,
    cell: ScheduleCell,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<readonly CellPart[]>;
};

type RevenueDeps = {
  readonly readModels: ReadModels;
  readonly progress: Progress;
  readonly runtime: Pick<Runtime, 'slice'>;
};

/** Schedules that are remembered: of the projects that are looked at. Each has some thousand figures. */
const MAX_CACHED = 20;
/** A page is read and delivered in a few ms. */
const PAGE = 200;

export function createRevenue({ readModels, progress, runtime }: RevenueDeps): Revenue {
  const cached = createBoundedCache<string, { readonly version: string; readonly schedule: Promise<Schedule> }>(
    MAX_CACHED,
  );
  const pagesOf = (projectId: string, days: { readonly from?: string; readonly to?: string }) =>
    chargePages(readModels, projectId, days);
  return {
    schedule: (projectId, settings) => {
      const version = progress.at(transactions.name) ?? '';
      const key = `${projectId}|${JSON.stringify(settings)}`;
      const known = cached.get(key);
      if (known?.version === version) return known.schedule;
      const compute = async () => {
        const builder = createScheduleBuilder(settings.basis);
        const toCharge = createChargeReader(settings);
        for await (const docs of pagesOf(projectId, {})) {
          for (const doc of docs) builder.add(toCharge(doc));
          await runtime.slice();
        }
        return builder.end();
      };
      const entry = { version, schedule: compute() };
      cached.set(key, entry);
      entry.schedule.catch(() => {
        if (cached.get(key) === entry) cached.delete(key);
      });
      return entry.schedule;
    },
    cell: async (projectId, settings, { billedMonth, month, currency, appId }, { skip, limit }) => {
      const toCharge = createChargeReader(settings);
      const { startDate, endDate } = daysOfMonth(billedMonth);
      // Days of a time zone begin up to 14 hours before those of UTC, and end up to 12 hours after them.
      const range = { from: `${addDays(startDate, -1)}T00:00:00.000Z`, to: `${addDays(endDate, 2)}T00:00:00.000Z` };
      const found: CellPart[] = [];
      let skipped = 0;
      for await (const docs of pagesOf(projectId, range)) {
        for (const doc of docs) {
          const charge = toCharge(doc);
          if (charge.currency !== currency || (appId !== undefined && charge.appId !== appId)) continue;
          if (charge.startDay.slice(0, 7) !== billedMonth) continue;
          const delivered = deliver(charge, settings.basis);
          const { recognised = 0, reversed = 0 } = delivered?.get(month) ?? {};
          if (recognised - reversed === 0 || skipped++ < skip) continue;
          const { transactionId, customerId, storeProductId: sku, purchasedAt } = doc;
          const amounts = { billed: delivered?.get(billedMonth)?.billed ?? 0, recognised: recognised - reversed };
          found.push({ transactionId, customerId, appId: doc.appId, sku, currency, purchasedAt, ...amounts });
          if (found.length === limit) return found;
        }
        await runtime.slice();
      }
      return found;
    },
  };
}

async function* chargePages(
  readModels: ReadModels,
  projectId: string,
  range: { readonly from?: string; readonly to?: string },
): AsyncGenerator<readonly TransactionDoc[]> {
  for (const kind of ['purchase', 'renewal']) {
    const scan = { index: 'money', eq: [projectId, 'production', kind], ...range, limit: PAGE };
    for await (const rows of scanPages(scan, (page) => readModels.scan(transactions, page)))
      yield rows.map(({ doc }) => doc);
  }
}

/** Returns a function from a transaction to the charge with its days in the project's time zone. */
export function createChargeReader({
  timeZone,
  lifetimeMonths,
}: BooksSettings): (doc: TransactionDoc) => DeliveredCharge {
  const dayOfMs = createDayOf(timeZone);
  const dayOf = (iso: string) => dayOfMs(msFromIso(iso));
  return (doc) => {
    const { transactionId, appId, money, purchasedAt, replaced } = doc;
    const { currency, amountMicros, taxRate, commissionRate } = money;
    const startDay = dayOf(purchasedAt);
    return {
      ...{ transactionId, appId, currency, amountMicros, taxRate, commissionRate, startDay },
      endDay: endOf(doc, startDay, lifetimeMonths, dayOf),
      replacedDay: replaced === undefined ? null : dayOf(replaced.at),
      changes: moneyMovesOf(doc).map((move) => toChange(move, dayOf)),
    };
  };
}

function endOf(
  { type, expiresAt }: TransactionDoc,
  startDay: string,
  lifetimeMonths: number,
  dayOf: (iso: string) => string,
): string | null {
  if (type === 'consumable') return null;
  if (type === 'non_consumable') return lifetimeMonths === 0 ? null : monthsLater(startDay, lifetimeMonths);
  return expiresAt === null ? null : dayOf(expiresAt);
}

function monthsLater(day: string, months: number): string {
  const month = addMonths(day.slice(0, 7), months);
  const { endDate } = daysOfMonth(month);
  const same = `${month}${day.slice(7)}`;
  return same < endDate ? same : endDate;
}

function toChange(move: MoneyMove, dayOf: (iso: string) => string): ChargeChange {
  const day = dayOf(move.at);
  return move.kind === 'refund' ? { kind: 'refund', day, share: move.share } : { kind: 'reversal', day };
}

/** Returns the month of an instant in the time zone of the project. */
export function monthIn(timeZone: string, ms: number): string {
  return createDayOf(timeZone)(ms).slice(0, 7);
}
