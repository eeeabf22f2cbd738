// Revenue schedule of a project: what is billed, recognised, refunded and deferred, by month, app and buyers' currency; and which part of
// what is billed in a month is recognised in which later one.
import {
  addFigures,
  deferredChange,
  deliver,
  NO_REVENUE,
  type DeliveredCharge,
  type RevenueBasis,
  type RevenueFigures,
} from './delivery.js';
import { addMonths } from './report-values.js';

/** One app and currency. Months are `yyyy-mm`. */
type ScheduleLine = {
  readonly appId: string;
  readonly currency: string;
  readonly months: Map<string, RevenueFigures>;
  /** Figures of the charges of a month, by month. */
  readonly byBilledMonth: Map<string, Map<string, RevenueFigures>>;
};

export type Schedule = {
  readonly lines: ReadonlyMap<string, ScheduleLine>;
  /** Charges whose price is unknown; they are in no figure. */
  readonly unpriced: number;
};

/** Collects the charges of a project, in any order. */
export function createScheduleBuilder(basis: RevenueBasis) {
  const lines = new Map<string, ScheduleLine>();
  let unpriced = 0;
  return {
    add: (charge: DeliveredCharge): void => {
      const delivered = deliver(charge, basis);
      if (!delivered || charge.currency === null) {
        unpriced++;
        return;
      }
      const { appId, currency, startDay } = charge;
      const key = `${appId}|${currency}`;
      const line: ScheduleLine = lines.get(key) ?? { appId, currency, months: new Map(), byBilledMonth: new Map() };
      lines.set(key, line);
      const billedMonth = startDay.slice(0, 7);
      const cells = line.byBilledMonth.get(billedMonth) ?? new Map<string, RevenueFigures>();
      line.byBilledMonth.set(billedMonth, cells);
      for (const [month, figures] of delivered) {
        line.months.set(month, addFigures(line.months.get(month) ?? NO_REVENUE, figures));
        cells.set(month, addFigures(cells.get(month) ?? NO_REVENUE, figures));
      }
    },
    end: (): Schedule => ({ lines, unpriced }),
  };
}

export type ScheduleSelection = {
  readonly from: string;
  readonly to: string;
  readonly currency?: string | undefined;
  readonly appId?: string | undefined;
};

/** A month of a currency. `opening` plus `billed` less `recognised` less `refunded` is `closing`. */
export type ScheduleRow = {
  readonly month: string;
  readonly currency: string;
  readonly opening: number;
  readonly billed: number;
  readonly recognised: number;
  readonly refunded: number;
  readonly closing: number;
};

/** Returns the months of each currency in order. */
export function scheduleRows(schedule: Schedule, selection: ScheduleSelection): readonly ScheduleRow[] {
  return sumsByCurrency(schedule, selection).flatMap(({ currency, months }) => {
    let closing = 0;
    for (const [month, figures] of months) if (month < selection.from) closing += deferredChange(figures);
    return monthsBetween(selection.from, selection.to).map((month) => {
      const figures = months.get(month) ?? NO_REVENUE;
      const { billed, refunded } = figures;
      const opening = closing;
      closing += deferredChange(figures);
      const recognised = figures.recognised - figures.reversed;
      return { month, currency, opening, billed, recognised, refunded, closing };
    });
  });
}

/** Amount billed in a month, by the month in which it is recognised. `billed` is the sum of the cells, `later` and `refunded`. */
export type WaterfallRow = {
  readonly month: string;
  readonly currency: string;
  readonly billed: number;
  readonly refunded: number;
  readonly cells: readonly { readonly month: string; readonly recognised: number }[];
  /** Amount recognised after the last month. */
  readonly later: number;
};

/** Returns a row for each month and currency in which something is billed. */
export function waterfallRows(schedule: Schedule, selection: ScheduleSelection): readonly WaterfallRow[] {
  const { from, to } = selection;
  const rows = new Map<string, { month: string; currency: string; sums: Map<string, RevenueFigures> }>();
  for (const { currency, byBilledMonth } of selectLines(schedule, selection)) {
    for (const [month, cells] of byBilledMonth) {
      if (month < from || month > to) continue;
      const key = `${currency}|${month}`;
      const row = rows.get(key) ?? { month, currency, sums: new Map<string, RevenueFigures>() };
      for (const [at, figures] of cells) row.sums.set(at, addFigures(row.sums.get(at) ?? NO_REVENUE, figures));
      rows.set(key, row);
    }
  }
  return [...rows].sort(byKey).map(([, { month, currency, sums }]) => {
    let [billed, refunded, later] = [0, 0, 0];
    const cells: { month: string; recognised: number }[] = [];
    for (const [at, figures] of [...sums].sort(byKey)) {
      billed += figures.billed;
      refunded += figures.refunded;
      const recognised = figures.recognised - figures.reversed;
      if (at > to) later += recognised;
      else if (recognised !== 0) cells.push({ month: at, recognised });
    }
    return { month, currency, billed, refunded, cells, later };
  });
}

/** Returns the months from the first to the last, both included. */
export function monthsBetween(from: string, to: string): readonly string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}

function sumsByCurrency(schedule: Schedule, selection: ScheduleSelection) {
  const sums = new Map<string, Map<string, RevenueFigures>>();
  for (const { currency, months } of selectLines(schedule, selection)) {
    const sum = sums.get(currency) ?? new Map<string, RevenueFigures>();
    for (const [month, figures] of months) sum.set(month, addFigures(sum.get(month) ?? NO_REVENUE, figures));
    sums.set(currency, sum);
  }
  return [...sums].sort(byKey).map(([currency, months]) => ({ currency, months }));
}

function selectLines({ lines }: Schedule, { currency, appId }: ScheduleSelection): readonly ScheduleLine[] {
  return [...lines.values()].filter(
    (line) => (currency === undefined || line.currency === currency) && (appId === undefined || line.appId === appId),
  );
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
