// The tables of `subledger export-facts` and the meanings of their columns. Money is in whole micro-units (1,000,000 = 1).
import type { Scan } from '../../adapters/documents/port.js';
import { storeKinds } from '../../domain/store-kinds.js';
import { accessEndsAt } from '../../domain/subscriber/access.js';
import { countryOf } from '../../domain/subscriber/state/country.js';
import type { Subscription } from '../../domain/subscriber/state/state.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import type { Projection } from '../../projections/runtime/projection.js';

export type Cell = string | number | boolean | null;
type Column = {
  readonly name: string;
  /** A `TIMESTAMP` is an ISO 8601 text in rows and in CSV. */
  readonly type: 'STRING' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP';
  readonly means: string;
};
type TableDescription = { readonly name: string; readonly columns: readonly Column[] };
type Row = readonly Cell[];
type SourceDoc = CustomerDoc | TransactionDoc;
type SourcedTable<D extends SourceDoc> = TableDescription & {
  readonly source: Projection<D>;
  /** Returns the rows of one document of the source, with cells in the order of the columns. */
  rowsOf(doc: D): readonly Row[];
};
export type FactTable = TableDescription & {
  /** Returns the rows of a page of the source, of one project or of all. */
  scan(readModels: ReadModels, scan: Scan, projectId?: string): Promise<{ rows: readonly Row[]; next?: string }>;
};

function fromSource<D extends SourceDoc>({ source, rowsOf, ...described }: SourcedTable<D>): FactTable {
  return {
    ...described,
    scan: async (readModels, scan, projectId) => {
      const page = await readModels.scan(source, scan);
      const docs = page.rows.map(({ doc }) => doc);
      const ofProject = docs.filter((doc) => projectId === undefined || doc.projectId === projectId);
      return { ...page, rows: ofProject.flatMap(rowsOf) };
    },
  };
}

const text = (name: string, means: string): Column => ({ name, type: 'STRING', means });
const micros = (name: string, means: string): Column => ({ name, type: 'INT64', means });
const instant = (name: string, means: string): Column => ({ name, type: 'TIMESTAMP', means: `instant, UTC; ${means}` });
const share = (name: string, means: string): Column => ({ name, type: 'DOUBLE', means });
const owner = [text('projectId', 'project'), text('customerId', 'customer')];

export const factTables: readonly FactTable[] = [
  fromSource({
    name: 'customers',
    source: customers,
    columns: [
      ...owner,
      text('appUserId', "the app's own id"),
      text('status', 'known, or merged into another customer'),
      text('mergedInto', 'id of that customer'),
      text('country', 'ISO 3166-1 alpha-2, as reported by the app, else of the latest purchase'),
      text('platform', 'ios, android, …'),
      instant('firstSeenAt', 'of the first contact or purchase, the earlier: day 0 of every cohort'),
      instant('lastSeenAt', 'of the last contact'),
      micros('spentUsdMicros', 'all charges less refunds, USD micros'),
    ],
    rowsOf: ({ projectId, customerId, profile: p, firstSeenAt, lastSeenAt, spentMicros }) => [
      [
        ...[projectId, customerId, p.appUserId, p.status, p.mergedInto?.customerId ?? null],
        ...[countryOf(p), p.platform, firstSeenAt, lastSeenAt, spentMicros],
      ],
    ],
  }),
  fromSource({
    name: 'subscriptions',
    source: customers,
    columns: [
      ...owner,
      text('subscriptionId', 'subscription'),
      text('store', storeKinds.join(', ')),
      text('appId', 'app'),
      text('productId', "product; empty if the store's product is not in the catalogue"),
      text('storeProductId', "the store's name of the product"),
      text('environment', 'production or sandbox'),
      text('ownership', 'purchased or family_shared'),
      text('startReason', 'first_purchase, resubscribe, product_change, …'),
      text('periodType', 'of the latest period: trial, intro, normal, prepaid'),
      instant('startedAt', 'of the first period'),
      instant('contractEndsAt', 'end of the latest period'),
      instant('endedAt', 'end of access; empty while it is active'),
      instant('expiredAt', 'final end, for example after weeks of billing retries'),
      text('country', 'ISO 3166-1 alpha-2, of the latest purchase'),
      text('offeringId', 'offering of the purchase'),
      text('productDuration', 'ISO 8601, of a standard period'),
      { name: 'autoRenew', type: 'BOOLEAN', means: 'true if auto-renewal is on' },
      { name: 'renewals', type: 'INT64', means: 'periods after the first' },
      micros('grossUsdMicros', 'charges less refunds, USD micros'),
      micros('proceedsUsdMicros', 'charges less refunds, tax and commission, USD micros'),
    ],
    rowsOf: ({ projectId, customerId, profile }) => profile.subscriptions.map((s) => rowOf(projectId, customerId, s)),
  }),
  fromSource({
    name: 'transactions',
    source: transactions,
    columns: [
      ...owner,
      text('transactionId', "the store's id"),
      text('originalTransactionId', 'first transaction of its purchase line'),
      text('subscriptionId', 'empty for one-time purchases'),
      text('store', storeKinds.join(', ')),
      text('appId', 'app'),
      text('storeProductId', "the store's name of the product"),
      text('environment', 'production or sandbox'),
      text('type', 'trial, intro, normal, prepaid, consumable, non_consumable, non_renewing_subscription'),
      { name: 'quantity', type: 'INT64', means: 'number of items' },
      instant('purchasedAt', 'of the charge'),
      instant('expiresAt', 'end of access; empty if permanent'),
      instant('refundedAt', 'of the latest refund that was not reversed; empty if none'),
      micros('refundedUsdMicros', 'refunded and not reversed, USD micros; empty if unknown'),
      instant('refundReversedAt', 'of the latest refund reversal'),
      text('country', 'ISO 3166-1 alpha-2, of the store'),
      text('offeringId', 'offering of the purchase'),
      text('periodDuration', 'ISO 8601; empty for one-time purchases'),
      text('currency', 'ISO 4217'),
      micros('amountMicros', 'price in that currency, micros; empty if unknown'),
      micros('usdMicros', 'value in USD micros; empty without an exchange rate'),
      text('fxRate', 'USD for one unit of the currency'),
      text('fxDate', 'day of that rate'),
      share('taxRate', 'share of the gross price'),
      share('commissionRate', 'share of the gross price'),
    ],
    rowsOf: ({ projectId, customerId, money: m, ...t }) => [
      [
        ...[projectId, customerId, t.transactionId, t.originalTransactionId, t.subscriptionId, t.store, t.appId],
        ...[t.storeProductId, t.environment, t.type, t.quantity, t.purchasedAt, t.expiresAt, t.refundedAt],
        ...[t.refundedUsdMicros, t.refundReversedAt, t.country, t.offeringId, t.periodDuration],
        ...[m.currency, m.amountMicros, m.usdMicros, m.fxRate, m.fxDate, m.taxRate, m.commissionRate],
      ],
    ],
  }),
];

function rowOf(projectId: string, customerId: string, s: Subscription): readonly Cell[] {
  const { purchase: p } = s;
  return [
    ...[projectId, customerId, p.subscriptionId, p.store, p.appId, p.productId, p.storeProductId],
    ...[p.environment, p.ownership, s.startReason, s.period.type, s.startedAt, s.contractEndsAt],
    ...[
      endedAt(s),
      s.ended?.at ?? null,
      p.country,
      p.offeringId,
      s.period.productDuration,
      s.autoRenew.on,
      s.renewalNumber,
      s.revenue.gross,
      s.revenue.proceeds,
    ],
  ];
}

/** Returns the end of access, which is before the end of the store's billing retries. */
function endedAt(s: Subscription): string | null {
  if (!s.ended) return null;
  const accessEnd = accessEndsAt(s);
  return accessEnd < s.ended.at ? accessEnd : s.ended.at;
}

/** Returns the description that accompanies the files. */
export function describeColumns(): string {
  const table = ({ name, columns }: FactTable) =>
    [`## ${name}`, '', ...columns.map((c) => `- \`${c.name}\` (${c.type}): ${c.means}`), ''].join('\n');
  return ['# Facts', '', 'Micros are whole numbers: 9990000 is 9.99.', '', ...factTables.map(table)].join('\n');
}
