// Payments in the journal: balanced, booked once in whatever order months are closed and reports arrive.
import { expect } from 'chai';
import { createRandom } from '#simulator/random.js';
import type { FrozenMonth } from '../../../src/domain/books/frozen-month.js';
import { journalOf, type JournalEntry } from '../../../src/domain/books/journal.js';
import { unbookedPayments, type Payment } from '../../../src/domain/books/payments.js';

const payment = (change: Partial<Payment> = {}): Payment => ({
  ...{
    month: '2026-07',
    account: '81234567',
    region: 'Japan',
    currency: 'JPY',
    units: 20,
    earnedMicros: 1_790_000_000,
  },
  ...{ inputTaxMicros: 0, adjustmentsMicros: 0, withholdingMicros: -370_000_000, owedMicros: 1_420_000_000 },
  ...{ paidCurrency: 'EUR', paidMicros: 11_600_000, isPaid: true, ...change },
});
const inBankCurrency = payment({
  ...{
    region: 'Euro-Zone',
    currency: 'EUR',
    earnedMicros: 100_000_000,
    withholdingMicros: 0,
    adjustmentsMicros: -5_000_000,
  },
  ...{ inputTaxMicros: 19_000_000, owedMicros: 114_000_000, paidMicros: 114_000_000 },
});
const freeze = (payments: readonly Payment[]): FrozenMonth => ({
  settings: { basis: 'gross', timeZone: 'UTC', lifetimeMonths: 0 },
  ...{ tables: [], revenue: [], corrections: [], payments },
});
const briefly = ({ id, lines, currency }: JournalEntry) =>
  `${id}: ${lines.map(({ account, micros }) => `${account} ${micros / 1_000_000}`).join(', ')} ${currency}`;

describe('a payment in the journal', () => {
  it('is a debit of the bank and a credit of the receivable, with the tax between', () => {
    const entries = journalOf('2026-07', [freeze([inBankCurrency])]);
    expect(entries.map(briefly)).to.deep.equal([
      '2026-07-none-EUR-payment-2026-07-81234567-euro-zone: bank 114, receivable -95, tax -19 EUR',
    ]);
    expect(entries[0]?.memo).to.equal('Payment for 2026-07 received, Euro-Zone');
  });

  it('goes through the exchange account where the bank has another currency', () => {
    expect(journalOf('2026-07', [freeze([payment()])]).map(briefly)).to.deep.equal([
      '2026-07-none-EUR-payment-2026-07-81234567-japan-from-JPY: bank 11.6, exchangeDifference -11.6 EUR',
      '2026-07-none-JPY-payment-2026-07-81234567-japan: receivable -1790, tax 370, exchangeDifference 1420 JPY',
    ]);
  });

  it('is not booked while the store holds it back', () => {
    expect(unbookedPayments([payment({ isPaid: false })], [])).to.deep.equal([]);
  });

  it('is not booked in months that an earlier version closed without payments', () => {
    const { payments: _, ...before } = freeze([]);
    expect(journalOf('2026-07', [before])).to.deep.equal([]);
  });

  it('is booked once: closings sum to what the reports state, through late and restated ones', () => {
    for (let world = 0; world < 100; world++) {
      const random = createRandom(`payments-1|${world}`);
      const known: Payment[] = [];
      const booked: Payment[] = [];
      const sums = new Map<string, number>();
      for (const month of ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11']) {
        for (let i = 0; i < random.whole(0, 4); i++) {
          const amount = random.whole(1, 999) * 10_000;
          const one = payment({ month, region: `R${random.whole(1, 3)}`, paidMicros: amount, owedMicros: amount * 2 });
          const older = known.findIndex((other) => other.month === one.month && other.region === one.region);
          if (older >= 0) known.splice(older, 1);
          known.push(one);
        }
        // A report of an earlier month is restated, or withdrawn by a newer file.
        if (known.length > 0 && random.whole(0, 1) === 1) known.splice(random.whole(0, known.length - 1), 1);
        const now = unbookedPayments(known, booked);
        booked.push(...now);
        for (const entry of journalOf(month, [freeze(now)])) {
          expect(
            entry.lines.reduce((sum, { micros }) => sum + micros, 0),
            entry.id,
          ).to.equal(0);
          for (const { account, micros } of entry.lines)
            if (account === 'bank') sums.set(account, (sums.get(account) ?? 0) + micros);
        }
      }
      const stated = known.reduce((sum, { paidMicros }) => sum + paidMicros, 0);
      expect(sums.get('bank') ?? 0, `world ${world}`).to.equal(stated);
      expect(unbookedPayments(known, booked)).to.deep.equal([]);
    }
  });

  it('has the same ID in each closing, so that closing again books the difference alone', () => {
    const [first, second] = [
      freeze([inBankCurrency]),
      freeze([{ ...inBankCurrency, paidMicros: 115_000_000, owedMicros: 115_000_000, adjustmentsMicros: -4_000_000 }]),
    ];
    expect(journalOf('2026-07', [first, second]).map(briefly)).to.deep.equal([
      '2026-07-none-EUR-payment-2026-07-81234567-euro-zone: bank 114, receivable -95, tax -19 EUR',
      '2026-07-none-EUR-payment-2026-07-81234567-euro-zone.2: bank 1, receivable -1 EUR',
    ]);
  });
});
