// Placements and targeting as an unmodified SDK gets them.
import { expect } from 'chai';
import { Purchases } from '@revenuecat/purchases-js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, type TestApp } from './setup.js';

describe('placements of an unmodified SDK', () => {
  const { harness, slice, asMember } = setUpService({ COMPAT_PORT: '0' });
  let app: TestApp;
  let sdk: Purchases | undefined;
  const call = sdkClient(harness, () => app.key);
  const post = async (path: string, body: object) => {
    const made = await harness.call('POST', `/v1/projects/${slice.projectId}${path}`, body, asMember);
    expect(made.status, JSON.stringify(made.body)).to.be.within(200, 201);
    return made.body;
  };
  const at = async (placement: string) => (await sdk?.getCurrentOfferingForPlacement(placement))?.identifier ?? null;
  const offerings = async (headers: Record<string, string> = {}, who = 'ann') =>
    (await call('GET', `/v1/subscribers/${who}/offerings`, undefined, headers)).body;

  before(async () => {
    app = await addTestApp(harness, slice);
    for (const lookupKey of ['winter', 'empty']) await post('/offerings', { lookupKey, displayName: lookupKey });
    await post('/offerings/winter/packages', { lookupKey: '$monthly', displayName: 'Monthly' });
    await post('/offerings/winter/packages/$monthly/products', { productIds: [app.productId] });
    for (const lookupKey of ['start', 'sale', 'gate']) await post('/placements', { lookupKey, displayName: lookupKey });
  });
  /** The SDK has what it read in its memory, so each test configures it again. */
  beforeEach(() => {
    sdk?.close();
    sdk = Purchases.configure({
      apiKey: app.key,
      appUserId: 'ann',
      httpConfig: { proxyURL: harness.service().compatUrl ?? '' },
      flags: { collectAnalyticsEvents: false },
    });
  });
  after(() => sdk?.close());

  it('show the current offering without any rule', async () => {
    expect(await at('start')).to.equal('default');
    expect(await at('a placement of a later version')).to.equal('default');
    const body = await offerings();
    expect(body.placements).to.deep.equal({ fallback_offering_id: 'default', offering_ids_by_placement: {} });
    expect(body).not.to.have.property('targeting');
  });

  it('show what the rule chooses: its offering, an exception, or nothing', async () => {
    const placements = [
      { placementId: 'sale', offeringId: null },
      { placementId: 'gate', offeringId: 'default' },
    ];
    const conditions = [{ kind: 'country', operator: 'in', values: ['FR'] }];
    await post('/targeting-rules', { name: 'France', conditions, offeringId: 'default' });
    const rule = await post('/targeting-rules', { name: 'Everybody', offeringId: 'winter', placements });
    expect((await sdk?.getOfferings())?.current?.identifier).to.equal('winter');
    expect([await at('start'), await at('sale'), await at('gate')]).to.deep.equal(['winter', null, 'default']);
    expect((await offerings()).targeting).to.deep.equal({ revision: 1, rule_id: rule.id });
  });

  it('are chosen by the device of the request, before it is recorded', async () => {
    const headers = { 'x-platform': 'iOS', 'x-client-version': '3.2', 'x-storefront': 'FRA' };
    expect((await offerings(headers, 'new')).current_offering_id).to.equal('default');
    expect((await offerings({ ...headers, 'x-storefront': 'USA' }, 'new')).current_offering_id).to.equal('winter');
  });

  it('show nothing where the rule’s offering has no product of the app', async () => {
    const placements = [{ placementId: 'start', offeringId: 'empty' }];
    const conditions = [{ kind: 'subscriber', value: false }];
    await post('/targeting-rules', { name: 'Not here', conditions, offeringId: 'empty', placements, position: 0 });
    const body = await offerings();
    expect(body.current_offering_id).to.equal('');
    expect(body.placements).to.deep.equal({ fallback_offering_id: null, offering_ids_by_placement: { start: null } });
    expect(await at('start')).to.equal(null);
  });
});
