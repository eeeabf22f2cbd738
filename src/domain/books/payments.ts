// Payments of the stores to the bank, and their entries in the journal: each is booked once, in the first month that is closed with it.
import type { JournalLine } from './accounts.js';
import type { PaymentLine } from './lines.js';

/** Amounts that a payments report states for a region. `month`: of the report. */
export type Payment = Omit<PaymentLine, 'kind' | 'row'> & { readonly month: string; readonly account: string };

/** Entry of a payment in the journal, in one currency. `name`: part of its ID. */
export type PaymentPosting = {
  readonly currency: string;
  readonly name: string;
  readonly memo: string;
  readonly lines: readonly JournalLine[];
};

const AMOUNTS = [
  'earnedMicros',
  'inputTaxMicros',
  'adjustmentsMicros',
  'withholdingMicros',
  'owedMicros',
  'paidMicros',
] as const;

/** Returns what is to be booked: the payments as the reports that count state them, less what earlier closings booked. */
export function unbookedPayments(now: readonly Payment[], booked: readonly Payment[]): readonly Payment[] {
  const found = new Map<string, Payment>();
  for (const payment of now.filter(({ isPaid }) => isPaid)) addTo(found, payment, 1);
  for (const payment of booked) addTo(found, payment, -1);
  return [...found.values()].filter((payment) => AMOUNTS.some((key) => payment[key] !== 0));
}

function addTo(found: Map<string, Payment>, payment: Payment, sign: 1 | -1): void {
  const key = [payment.month, payment.account, payment.region, payment.currency, payment.paidCurrency].join('|');
  const known = found.get(key);
  const amounts = AMOUNTS.map((name) => [name, (known?.[name] ?? 0) + sign * payment[name]] as const);
  found.set(key, { ...payment, ...Object.fromEntries(amounts) });
}

/**
 * Returns the entries of a payment: what was earned leaves the receivable, and arrives at the bank. Withheld and added tax go to the tax; where
 * the bank has another currency, the exchange account takes what leaves one currency and gives what arrives in the other.
 */
export function postPayment(payment: Payment): readonly PaymentPosting[] {
  const { month, account, region, currency, paidCurrency, owedMicros, paidMicros } = payment;
  const name = `payment-${month}-${account}-${slugOf(region)}`;
  const memo = `Payment for ${month} received, ${region}`;
  const owed = [
    { account: 'receivable', micros: 0 - payment.earnedMicros - payment.adjustmentsMicros },
    { account: 'tax', micros: 0 - payment.inputTaxMicros - payment.withholdingMicros },
  ] as const;
  if (currency === paidCurrency)
    return [{ currency, name, memo, lines: [{ account: 'bank', micros: paidMicros }, ...owed] }];
  return [
    { currency, name, memo, lines: [{ account: 'exchangeDifference', micros: owedMicros }, ...owed] },
    {
      ...{ currency: paidCurrency, name: `${name}-from-${currency}`, memo: `${memo}, from ${currency}` },
      lines: [
        { account: 'bank', micros: paidMicros },
        { account: 'exchangeDifference', micros: 0 - paidMicros },
      ],
    },
  ];
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
