// The tables in which `subledger export-facts` hands out what the charts are made of: their columns, and what each means.

/** `instant`: UTC ms in a row. `usd`: USD micros in a row, decimal US dollars in a file. */
export type ColumnType = 'text' | 'instant' | 'usd' | 'flag' | 'count';
export type Column = { readonly name: string; readonly type: ColumnType; readonly means: string };
export type Cell = string | number | boolean | null;
export type FactRow = readonly Cell[];

const column =
  (type: ColumnType) =>
  (name: string, means: string): Column => ({ name, type, means });
const [text, instant, usd, flag, count] = (['text', 'instant', 'usd', 'flag', 'count'] as const).map(column) as [
  ReturnType<typeof column>,
  ReturnType<typeof column>,
  ReturnType<typeof column>,
  ReturnType<typeof column>,
  ReturnType<typeof column>,
];

const customer = text('customer_id', 'customer; merged customers count as the one that they were merged into');
const purchase = [customer, text('purchase_id', 'subscription or one-time purchase; unique for one customer')];
const transaction = [...purchase, text('transaction_id', 'transaction; unique for one customer')];

/** Cells of a row are in the order of the columns. */
export const factTables = {
  customers: [
    customer,
    instant('first_seen', 'first sighting or purchase, the earlier'),
    text('country', 'ISO 3166-1 alpha-2, as the app reported it, else of the latest purchase'),
    text('platform', 'ios, android, …'),
  ],
  sightings: [customer, instant('seen_at', 'the app was in use')],
  purchases: [
    ...purchase,
    text('store', 'store'),
    text('app_id', 'app'),
    text('product_id', 'product of the catalogue, empty where it is not in the catalogue'),
    text('product_duration', 'ISO 8601, of a standard period'),
    text('offering_id', 'offering that it was bought from'),
    text('offer_type', 'type of the offer that it began with'),
    text('start_reason', 'first_purchase, resubscribe, product_change, …'),
    text('country', 'ISO 3166-1 alpha-2, of the store'),
    flag('auto_renew', 'is to renew, as the store reported last'),
  ],
  transactions: [
    ...transaction,
    text('period_type', 'trial, intro, normal, prepaid or one_time'),
    instant('purchased_at', 'start of the period'),
    instant('contract_end', 'end of the period, extensions included and grace not; empty for one-time purchases'),
    flag('is_paid', 'neither a trial nor free; an unknown price counts as paid'),
    flag('is_refunded', 'has a refund, whole or in part, that was not reversed'),
    flag('is_fully_refunded', 'all of its price was given back'),
    flag('access_revoked', 'a refund took the access, and was not reversed'),
  ],
  money: [
    ...transaction,
    text('kind', 'charge, refund (negative amounts) or reversal of a refund'),
    instant('moved_at', 'when the money moved'),
    usd('usd', 'US dollars by the rate of the purchase; empty for a charge without a rate'),
    usd('tax', 'part of it that is tax'),
    usd('commission', 'part of it that the store keeps'),
    count('payments', '1 for a payment, -1 when all of it was given back, 1 when that was reversed, else 0'),
  ],
  stays: [
    ...transaction,
    text('period_type', 'trial, intro or normal'),
    instant('live_from', 'start of a stretch in which the subscription is live'),
    instant('live_to', 'its end: of the contract or of grace, or when something cut it'),
    text('renewal', 'set_to_renew, set_to_cancel or billing_issue, during the stretch'),
    usd('mrr', 'price per month; 0 for trials'),
    usd('mrr_net_of_taxes', 'the same without tax'),
    usd('mrr_proceeds', 'the same without tax and commission'),
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

export type FactTable = keyof typeof factTables;
export const factTableNames = Object.keys(factTables) as readonly FactTable[];
