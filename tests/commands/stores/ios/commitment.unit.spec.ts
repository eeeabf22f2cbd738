// A term of twelve months that is paid monthly: what the ios-store's messages about it mean.
import { expect } from 'chai';
import type { IosRenewalInfo, IosTransaction } from '../../../../src/adapters/ios-store/port.js';
import { translateIosNotification } from '../../../../src/commands/stores/ios/translator/translator.js';
import type { StoreCommand } from '../../../../src/domain/subscriber/decide/store-commands.js';
import { addDuration, isoFromMs } from '../../../../src/domain/time.js';
import { contextOf, dayMs, notificationOf, renewalOf, transactionOf } from './samples.js';

const iso = (n: number) => isoFromMs(dayMs(n));
const monthly: Partial<IosTransaction> = {
  billingPlanType: 'MONTHLY',
  commitmentInfo: { billingPeriodNumber: 2, totalBillingPeriods: 12, commitmentExpiresDate: dayMs(330) },
};
const term = (fields: NonNullable<IosRenewalInfo['commitmentInfo']> = {}): Partial<IosRenewalInfo> => ({
  renewalBillingPlanType: 'MONTHLY',
  commitmentInfo: { commitmentAutoRenewStatus: 1, commitmentRenewalDate: dayMs(330), ...fields },
});

function commandOf<K extends StoreCommand['kind']>(
  kind: K,
  type: string,
  transaction: Partial<IosTransaction>,
  renewal: Partial<IosRenewalInfo>,
): Extract<StoreCommand, { kind: K }> | undefined {
  const parts = { transaction: transactionOf(transaction), renewal: renewalOf(renewal) };
  const commands = translateIosNotification(notificationOf(type, null, 40, parts), contextOf())?.commands ?? [];
  return commands.find((c): c is Extract<StoreCommand, { kind: K }> => c.kind === kind);
}

describe('a commitment billed monthly', () => {
  for (const [title, transaction, renewal, expected] of [
    ['is cancelled by its own status', monthly, term({ commitmentAutoRenewStatus: 0 }), { on: false, ends: iso(330) }],
    ['renews by its own status', monthly, term(), { on: true, ends: undefined }],
    ['is over if the next month is off', monthly, { ...term(), autoRenewStatus: 0 }, { on: false, ends: iso(330) }],
    ['without its status shows nothing', monthly, { autoRenewStatus: 1 }, null],
    ['paid upfront has the ordinary status', { billingPlanType: 'BILLED_UPFRONT' }, term(), { on: true }],
    [
      'without its end counts the remaining months',
      { ...monthly, commitmentInfo: { billingPeriodNumber: 2, totalBillingPeriods: 12 } },
      term({ commitmentAutoRenewStatus: 0 }),
      { on: false, ends: addDuration(iso(31), 'P10M') },
    ],
    [
      'without any data of the term ends when it would be renewed',
      { billingPlanType: 'MONTHLY' },
      term({ commitmentAutoRenewStatus: 0 }),
      { on: false, ends: iso(330) },
    ],
  ] as const)
    it(title, () => {
      const command = commandOf('recordAutoRenew', 'DID_RENEW', transaction, renewal);
      expect(command?.on).to.equal(expected?.on);
      if (expected && 'ends' in expected) expect(command?.effectiveAt).to.equal(expected.ends);
    });

  it('reads the new status where the notification has no subtype', () =>
    expect(
      commandOf('recordAutoRenew', 'DID_CHANGE_RENEWAL_STATUS', monthly, term({ commitmentAutoRenewStatus: 0 })),
    ).to.include({ on: false, inferred: false, effectiveAt: iso(330) }));

  it('has the end of the term in each period', () =>
    expect(commandOf('recordPeriod', 'DID_RENEW', monthly, term())?.commitmentEndsAt).to.equal(iso(330)));

  it('changes its product after the term', () =>
    expect(
      commandOf('recordNextProduct', 'DID_RENEW', monthly, term({ commitmentAutoRenewProductId: 'app.other' })),
    ).to.include({ storeProductId: 'app.other', effectiveAt: iso(330) }));

  for (const [plan, amountMicros] of [
    ['MONTHLY', 9_000_000],
    ['BILLED_UPFRONT', 108_000_000],
  ] as const)
    it(`shows the price of one payment that is ${plan} after the term`, () => {
      const renewal = term({ commitmentRenewalPrice: 108_000, commitmentRenewalBillingPlanType: plan });
      const priced = { ...renewal, renewalPrice: 6490, currency: 'USD', priceIncreaseStatus: 0 };
      expect(commandOf('recordPriceIncrease', 'PRICE_INCREASE', monthly, priced)).to.deep.include({
        newPrice: { amountMicros, currency: 'USD' },
        effectiveAt: iso(330),
      });
    });
});
