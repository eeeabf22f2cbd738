// Notifications that are about no customer, and those that nobody knows: kept, and recorded in the project's stream where they matter.
import { expect } from 'chai';
import type { IosNotification } from '../../../../src/adapters/ios-store/port.js';
import { BUNDLE_ID, monthly, notification } from '../../support/store-data.js';
import { eventsOf } from '../../support/memory-deps.js';
import { createProjectFixture } from '../../support/project-fixture.js';

const sandbox = { environment: 'Sandbox', bundleId: BUNDLE_ID } as const;
const about = (type: string, subtype: string | null, part: object): IosNotification => ({
  notificationType: type,
  ...(subtype !== null && { subtype }),
  notificationUUID: `${type}-1`,
  version: '2.0',
  signedDate: Date.parse('2026-11-21T10:00:00.000Z'),
  ...part,
});

/** The last event of the project and what became of the notification, received twice. */
async function process(n: IosNotification) {
  const { deps, notify } = await createProjectFixture();
  const before = (await eventsOf(deps.log)).length;
  await notify(n);
  await notify(n);
  const [received, ...made] = (await eventsOf(deps.log)).slice(before);
  expect(received?.type).to.equal('StoreNotificationReceived');
  const recorded = made.filter((e) => e.type !== 'StoreNotificationProcessed');
  const [processed] = made.filter((e) => e.type === 'StoreNotificationProcessed');
  return { recorded, outcome: (processed?.data as { outcome: string } | undefined)?.outcome };
}

describe('an ios-store notification about no customer', () => {
  it('may be the end of a mass extension', async () => {
    const counts = { succeededCount: 12, failedCount: 1 };
    const summary = {
      ...sandbox,
      productId: 'pro',
      requestIdentifier: 'r1',
      storefrontCountryCodes: ['DEU'],
      ...counts,
    };
    const { recorded, outcome } = await process(about('RENEWAL_EXTENSION', 'SUMMARY', { summary }));
    expect([outcome, recorded.map((e) => e.type)]).to.deep.equal(['applied', ['RenewalExtensionCompleted']]);
    expect(recorded[0]?.data).to.include({ requestIdentifier: 'r1', environment: 'sandbox', ...counts });
  });

  it('may be a token for purchases elsewhere', async () => {
    const externalPurchaseToken = { externalPurchaseId: 'SANDBOX-7', bundleId: BUNDLE_ID, tokenCreationDate: 0 };
    const { recorded, outcome } = await process(
      about('EXTERNAL_PURCHASE_TOKEN', 'UNREPORTED', { externalPurchaseToken }),
    );
    expect([outcome, recorded.map((e) => e.type)]).to.deep.equal(['applied', ['ExternalPurchaseTokenReceived']]);
    expect(recorded[0]?.data).to.include({
      externalPurchaseId: 'SANDBOX-7',
      environment: 'sandbox',
      reason: 'UNREPORTED',
    });
  });

  it('may be a consent that was taken back', async () => {
    const { recorded, outcome } = await process(about('RESCIND_CONSENT', null, { appData: sandbox }));
    expect([outcome, recorded.map((e) => e.type)]).to.deep.equal(['applied', ['AppConsentRescinded']]);
  });

  it('may be a test', async () => {
    const { recorded, outcome } = await process(about('TEST', null, { data: sandbox }));
    expect([outcome, recorded.map((e) => e.type)]).to.deep.equal(['no_change', ['StoreTestNotificationReceived']]);
  });

  for (const part of [{ data: sandbox }, { summary: { ...sandbox, productId: 'pro' } }]) {
    it(`of an unknown type is stored and skipped (${Object.keys(part).join()})`, async () => {
      const { recorded, outcome } = await process(about('SOMETHING_NEW', 'SUB', part));
      expect([outcome, recorded]).to.deep.equal(['ignored_unknown_type', []]);
    });
  }
});

describe('a chain that the store gave another name', () => {
  it('stays with its owner', async () => {
    const { submit, notify, holders } = await createProjectFixture();
    await submit('ann', monthly());
    const moved = { transactionId: 'tx_9', originalTransactionId: 'tx_9', previousOriginalTransactionId: 'tx_1' };
    await notify(notification('MIGRATION', monthly({ ...moved, dayOfPurchase: 30, transactionReason: 'RENEWAL' })));
    expect(await holders('tx_9')).to.deep.equal({ ann: ['tx_1', 'tx_9'] });
    expect(await holders('tx_1')).to.deep.equal({});
  });
});
