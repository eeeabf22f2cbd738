// Setup status of a project after each step of its owner.
import { expect } from 'chai';
import { MONTHLY, notification } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { iosKey } from '../support/store-credentials.js';

const REQUIRED = [
  ...['create_app', 'add_credentials', 'receive_store_notification', 'create_product', 'create_entitlement'],
  ...['attach_product_to_entitlement', 'create_offering_with_package', 'create_public_api_key', 'first_customer'],
  'first_purchase',
];
const OPTIONAL = ['create_webhook', 'create_paywall'];
type Step = { id: string; title: string; done: boolean; doneAt: string | null; required: boolean };

describe('the setup status of a project', () => {
  const { harness, slice, asMember: as } = setUpService();

  const status = async (projectId = slice.projectId) =>
    (await harness.call('GET', `/v1/projects/${projectId}/setup-status`, undefined, as)).body;
  const doneOf = (body: { steps: Step[] }) => body.steps.filter((s) => s.done).map((s) => s.id);

  it('begins with nothing done', async () => {
    const { body } = await harness.call('POST', '/v1/projects', { name: 'Empty' }, as);
    const empty = await status(body.id);
    expect(empty).to.have.all.keys('object', 'complete', 'completedSteps', 'totalSteps', 'steps', 'evidence');
    expect(empty).to.include({ object: 'setupStatus', complete: false, completedSteps: 0, totalSteps: 10 });
    expect(empty.steps.map((s: Step) => s.id)).to.deep.equal([...REQUIRED, ...OPTIONAL]);
    for (const step of empty.steps) {
      expect(step).to.have.all.keys('id', 'title', 'done', 'doneAt', 'required');
      expect(step).to.include({ done: false, doneAt: null, required: REQUIRED.includes(step.id) });
      expect(step.title).to.be.a('string').with.length.above(3);
    }
  });

  it('shows each step as soon as it is done', async () => {
    const made = ['create_app', 'create_product', 'create_entitlement', 'attach_product_to_entitlement'];
    expect(doneOf(await status())).to.have.members([...made, 'create_public_api_key']);
    const base = `/v1/projects/${slice.projectId}`;
    const ios = { issuerId: 'issuer', keyId: 'key', privateKey: iosKey() };
    const steps: readonly [string, () => Promise<unknown>][] = [
      ['add_credentials', () => harness.call('POST', `${base}/apps/${slice.appId}/credentials/ios-store`, ios, as)],
      [
        'create_offering_with_package',
        async () => {
          await harness.call('POST', `${base}/offerings`, { lookupKey: 'default', displayName: 'Default' }, as);
          const body = { lookupKey: '$monthly', displayName: 'Monthly' };
          await harness.call('POST', `${base}/offerings/default/packages`, body, as);
        },
      ],
      ['first_customer', () => harness.call('GET', '/v1/subscribers/ann', undefined, { key: slice.secretKey })],
    ];
    let done = 5;
    for (const [id, act] of steps) {
      await act();
      const now = await status();
      expect(doneOf(now)).to.include(id);
      expect(now).to.include({ completedSteps: ++done, complete: false });
    }
  });

  it('is complete when the store has spoken of a purchase', async () => {
    const now = Date.now();
    const transaction = { transactionId: '1', productId: MONTHLY, purchaseDate: now, expiresDate: now + 1e9 };
    const bought = notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction });
    await harness.call('POST', slice.notificationPath, bought);
    await harness.service().idle();
    const complete = await status();
    expect(complete).to.include({ complete: true, completedSteps: 10 });
    expect(complete.steps.filter((s: Step) => !s.done).map((s: Step) => s.id)).to.deep.equal(OPTIONAL);
    for (const step of complete.steps.slice(0, 10)) expect(step.doneAt).to.match(/^\d{4}-.*Z$/);
  });

  it('keeps what was done when it is deleted, and after a restart', async () => {
    const before = await status();
    await harness.call(
      'DELETE',
      `/v1/projects/${slice.projectId}/products/${slice.productId}?force=true`,
      undefined,
      as,
    );
    await harness.restart();
    const after = await status();
    // The port is another after the restart.
    expect({ ...after, evidence: { ...after.evidence, addresses: before.evidence.addresses } }).to.deep.equal(before);
  });
});
