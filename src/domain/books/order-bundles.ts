// Bundles the lines of the android-store's reports: those of one charge, refund or reversal of an order belong together.
import {
  addAmounts,
  amountsOf,
  NOTHING,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
  type EntryLabel,
  type ReportRow,
} from './entries.js';
import type { OrderLine } from './lines.js';
import { orderKindsIn } from './reversals.js';
import type { Steps } from './steps.js';

/** Lines of a report that counts. */
export type CountedLines<L> = {
  readonly reportId: string;
  readonly account: string;
  readonly lines: readonly L[];
};

/** The lines of one charge, refund or reversal of an order. */
export type Bundle = {
  readonly kind: EntryKind;
  readonly orderId: string;
  readonly first: OrderLine;
  readonly lines: { readonly line: OrderLine; readonly row: ReportRow }[];
};

/**
 * Bundles the lines by order, product and side. Those that another account's report repeats, and those of a product without an order, become
 * entries of their own.
 */
export function* bundlesOf(reports: readonly CountedLines<OrderLine>[], others: BookEntry[]): Steps<Iterable<Bundle>> {
  const bundles = new Map<string, Bundle>();
  const accountByLine = new Map<string, string>();
  /** Returns the account whose report has the line first. */
  const firstAccountOf = (line: OrderLine, account: string): string => {
    const { orderId, type, day, sku, amountMicros, paidMicros } = line;
    const same = [orderId, type, day, sku, amountMicros, paidMicros].join('|');
    const first = accountByLine.get(same) ?? account;
    accountByLine.set(same, first);
    return first;
  };
  const hasAccounts = new Set(reports.map(({ account }) => account)).size > 1;
  for (const { reportId, account, lines } of reports) {
    const kindOf = yield* orderKindsIn(lines);
    for (const line of lines) {
      yield;
      const { orderId, row } = line;
      const kind = kindOf(line);
      if (orderId === null) {
        if (line.packageName !== null || line.sku !== null)
          others.push(entryWithoutOurs('unexplained', kind, line, { reportId, row }));
        continue;
      }
      if (hasAccounts && firstAccountOf(line, account) !== account) {
        others.push(entryWithoutOurs('double', kind, line, { reportId, row }));
        continue;
      }
      const key = `${orderId}|${line.sku ?? ''}|${kind}|${line.currency}`;
      const bundle = bundles.get(key) ?? { kind, orderId, first: line, lines: [] };
      // Sales and earnings of two accounts may have the same order: the earnings, which come first, say more.
      if (bundle.first.kind !== line.kind) {
        others.push(entryWithoutOurs('double', kind, line, { reportId, row }));
        continue;
      }
      bundle.lines.push({ line, row: { reportId, row } });
      bundles.set(key, bundle);
    }
  }
  return bundles.values();
}

function entryWithoutOurs(cause: Cause, kind: EntryKind, line: OrderLine, row: ReportRow): BookEntry {
  const fields = { appId: null, currency: line.currency, day: line.day, sku: line.sku, country: line.country };
  const store = storeAmounts(kind, [line], 'inside', 0);
  const labels = labelsOf(line);
  const rest = { ours: null, transactionIds: [], orderId: line.orderId, rows: [row], otherMonth: null, labels };
  return { cause, kind, ...fields, count: 1, store, paid: null, ...rest };
}

/** Returns the remarks on every entry of such a line. */
export function labelsOf({ kind }: OrderLine): readonly EntryLabel[] {
  return kind === 'sales' ? ['fee_not_stated'] : [];
}

/** Place of the tax of a charge: in the charged amount, or beside it. */
type TaxPlace = 'inside' | 'beside';

/** Returns the amounts of lines. `unstatedTax`: beside the charge, in no line. */
export function storeAmounts(
  kind: EntryKind,
  lines: readonly OrderLine[],
  place: TaxPlace,
  unstatedTax: number,
): Amounts {
  const sum = (part: OrderLine['part']) =>
    lines.reduce((total, line) => total + (line.part === part ? line.amountMicros : 0), 0);
  const tax = lines.reduce((total, line) => total + line.taxMicros, sum('tax') + unstatedTax);
  const charged = sum('charge') + (place === 'beside' ? tax : 0);
  const known = amountsOf(kind, charged, tax, sum('fee'));
  const other = sum('other');
  return other === 0 ? known : addAmounts(known, { ...NOTHING, charged: other, proceeds: other });
}

/** Returns the rate of the report from the buyer's currency to the one that is paid; null for lines without money, and for a sales report. */
export function paidBy(lines: readonly OrderLine[]): BookEntry['paid'] {
  const [first] = lines;
  const buyers = lines.reduce((sum, line) => sum + Math.abs(line.amountMicros), 0);
  const paid = lines.reduce((sum, line) => sum + Math.abs(line.paidMicros), 0);
  return first?.kind === 'earnings' && buyers > 0 ? { currency: first.paidCurrency, rate: paid / buyers } : null;
}
