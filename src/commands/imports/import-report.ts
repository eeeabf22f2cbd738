// Report of an import: what its files contain, what would be recorded or was, and what could not be imported, each with rows and a way out.
import { importProblems, type ImportProblem, type ImportProblemCode } from '../../domain/imports/problems.js';
import type { CustomerPlan } from '../../domain/imports/plan-customer.js';
import { createProblemCounts, type ProblemCount } from './problem-counts.js';
import type { ReadFiles } from './read-files.js';

/** Maximum of listed products. */
const MAX_NAMES = 200;

/** Advice for each problem. */
const WAYS_OUT: Readonly<Record<ImportProblemCode, string>> = {
  unreadable: 'correct the row, or export the file again',
  'no-app': 'register the app, then check again',
  'several-apps': 'name the apps with --app',
  'unknown-product':
    'add the product to the catalogue before the import; its purchases then unlock what it is attached to',
  'unknown-entitlement': 'create the entitlement before the import',
  'entitlement-differs':
    'attach the product to the entitlement before the import, or run subledger import catalogue; else these customers lose it',
  sandbox: 'use --sandbox keep to import them as sandbox purchases',
  'other-store': 'nothing to do: it gives no access now',
  'other-store-active': 'use --other-stores grant, so that these customers keep their access until its end',
  'never-started': 'nothing to do',
  unanchored: 'add a file with user_id, google_purchase_token, google_product_id',
  'refund-time-missing': "add RevenueCat's export of transactions, which has the time of each refund",
  'first-transaction-missing':
    "add RevenueCat's export of transactions; else the next notification or receipt of the subscription records it",
  'ended-since-export':
    'run subledger verify-import at once, which asks the stores about these first, or import a newer export',
  'end-missing': 'give the product a duration in the catalogue, or export product_duration',
  'price-unknown': 'export the gross columns (purchase_price_in_purchased_currency), or leave it to the store',
  'attribute-cut': 'nothing to do, or shorten the attribute where it comes from',
  erased: 'nothing to do',
  'too-many-rows': 'split the rows among customers where they come from, or leave old ones out',
  'ambiguous-name':
    'check which customer the name belongs to, and remove it from the other rows; else who logs in with it starts anew',
  'moved-purchase': 'nothing to do',
  'owned-here': 'check whose it is; if it is not the customer of the row here, move it in the dashboard',
};

/** Problems by which customers may lack access here that they had where they come from. They are listed first. */
const COST_ACCESS: ReadonlySet<ImportProblemCode> = new Set([
  ...([
    'unreadable',
    'no-app',
    'several-apps',
    'unknown-product',
    'unknown-entitlement',
    'entitlement-differs',
  ] as const),
  ...([
    'other-store-active',
    'ambiguous-name',
    'owned-here',
    'refund-time-missing',
    'end-missing',
    'ended-since-export',
    'first-transaction-missing',
  ] as const),
]);

type ListedProblem = {
  readonly code: ImportProblemCode;
  readonly costsAccess: boolean;
  readonly meaning: string;
  readonly wayOut: string;
  readonly count: number;
  readonly examples: readonly { readonly file: string; readonly row: number; readonly detail: string }[];
};

export type ImportReport = ReadFiles & {
  readonly dryRun: boolean;
  readonly customers: number;
  readonly aliases: number;
  readonly grants: number;
  readonly purchaseLines: number;
  readonly activeSubscriptions: number;
  readonly transactions: Readonly<Record<string, number>>;
  readonly refunds: number;
  /** Events by type: appended, or for a dry run those that would be. */
  readonly events: Readonly<Record<string, number>>;
  /** Gross amounts by currency and month of purchase, in micros of the currency. */
  readonly gross: readonly { readonly month: string; readonly currency: string; readonly amountMicros: number }[];
  readonly firstPurchaseAt: string | null;
  readonly lastPurchaseAt: string | null;
  /** Products that are not in the catalogue, with the number of their transactions. */
  readonly unknownProducts: readonly {
    readonly store: string;
    readonly storeProductId: string;
    readonly transactions: number;
  }[];
  readonly problems: readonly ListedProblem[];
};

/** Counts of a report about the customers so far, as a record stores them. */
export type CountedCustomers = {
  readonly counts: Readonly<Record<keyof typeof NOTHING, number>>;
  readonly transactions: Counts;
  readonly events: Counts;
  readonly gross: Counts;
  readonly unknown: Counts;
  readonly firstPurchaseAt: string | null;
  readonly lastPurchaseAt: string | null;
  readonly problems: readonly ProblemCount[];
};
type Counts = readonly (readonly [string, number])[];

const NOTHING = { customers: 0, aliases: 0, grants: 0, purchaseLines: 0, activeSubscriptions: 0, refunds: 0 };

export type ReportBuilder = {
  addProblem(problem: ImportProblem): void;
  addProblems(counts: readonly ProblemCount[]): void;
  addPlan(plan: CustomerPlan, now: string): void;
  addEvents(types: readonly string[]): void;
  counted(): CountedCustomers;
  build(read: ReadFiles, dryRun: boolean): ImportReport;
};

/** `before`: what an earlier turn of the import counted; it goes on from there. */
export function createReportBuilder(before?: CountedCustomers): ReportBuilder {
  const problems = createProblemCounts();
  problems.add(before?.problems ?? []);
  const counts = { ...(before?.counts ?? NOTHING) };
  const transactions = new Map(before?.transactions);
  const events = new Map(before?.events);
  const gross = new Map(before?.gross);
  const unknown = new Map(before?.unknown);
  let [first, last] = [before?.firstPurchaseAt ?? null, before?.lastPurchaseAt ?? null];
  return {
    addProblem: problems.addProblem,
    addProblems: problems.add,
    addPlan: (plan, now) => {
      counts.customers++;
      counts.aliases += plan.aliases.length;
      counts.grants += plan.grants.length;
      counts.purchaseLines += plan.lines.length;
      counts.activeSubscriptions += plan.lines.filter(
        (l) => l.isSubscription && l.until !== null && l.until > now,
      ).length;
      for (const { fact, money, product } of plan.transactions) {
        increase(transactions, fact.store);
        if (fact.refundedAt !== null) counts.refunds++;
        if (money.currency !== null && money.amountMicros !== null)
          increase(gross, `${fact.purchasedAt.slice(0, 7)}|${money.currency}`, money.amountMicros);
        const productKey = `${fact.store}|${fact.storeProductId}`;
        if (!product && (unknown.size < MAX_NAMES || unknown.has(productKey))) increase(unknown, productKey);
        first = first === null || fact.purchasedAt < first ? fact.purchasedAt : first;
        last = last === null || fact.purchasedAt > last ? fact.purchasedAt : last;
      }
      for (const problem of plan.problems) problems.addProblem(problem);
    },
    addEvents: (types) => {
      for (const type of types) increase(events, type);
    },
    counted: () => ({
      ...{ counts: { ...counts }, transactions: [...transactions], events: [...events], gross: [...gross] },
      ...{ unknown: [...unknown], firstPurchaseAt: first, lastPurchaseAt: last, problems: problems.list() },
    }),
    build: (read, dryRun) => ({
      dryRun,
      ...read,
      ...counts,
      transactions: Object.fromEntries(transactions),
      events: Object.fromEntries([...events].toSorted(byKey)),
      gross: [...gross].toSorted(byKey).map(([key, amountMicros]) => {
        const [month = '', currency = ''] = key.split('|');
        return { month, currency, amountMicros };
      }),
      firstPurchaseAt: first,
      lastPurchaseAt: last,
      unknownProducts: [...unknown].map(([key, count]) => {
        const [store = '', storeProductId = ''] = key.split('|');
        return { store, storeProductId, transactions: count };
      }),
      problems: accessFirst(problems.list()).map(({ code, count, examples }) => ({
        code,
        costsAccess: COST_ACCESS.has(code),
        meaning: importProblems[code],
        wayOut: WAYS_OUT[code],
        count,
        examples: examples.map(({ from, detail }) => ({ ...from, detail })),
      })),
    }),
  };
}

function increase(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function byKey([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

function accessFirst<T extends { readonly code: ImportProblemCode }>(problems: readonly T[]): readonly T[] {
  return problems.toSorted((a, b) => Number(COST_ACCESS.has(b.code)) - Number(COST_ACCESS.has(a.code)));
}
