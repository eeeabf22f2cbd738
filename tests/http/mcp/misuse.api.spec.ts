// Calls that a hostile text could lead an assistant to, and previews of what cannot be done.
import { expect } from 'chai';
import { keyScopes } from '../../../src/domain/project/roles.js';
import { MONTHLY, type Json } from '../support/harness.js';
import { addTestApp, sdkClient, TEST_COINS, TEST_MONTHLY, testToken, type TestApp } from '../compat/setup.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { connect, makeKey, playHistory, type Assistant } from './setup.js';
import { poll } from '../../fixtures/poll.js';

const CUSTOMER = 'ben';

describe('a misused tool', () => {
  const { harness, slice, as } = setUpService({ MCP: 'true', COMPAT_PORT: '0', RATE_LIMITS: 'off' });
  let assistant: Assistant;
  before(async () => {
    await playHistory(harness, slice);
    await harness.call('POST', `/v1/subscribers/${CUSTOMER}`, {}, as);
    assistant = await connect(harness, as.key);
    await harness.service().idle();
  });
  let test: TestApp;
  before(async () => void (test = await addTestApp(harness, slice)));
  const sdk = sdkClient(harness, () => test.key);
  const base = () => `/v1/projects/${slice.projectId}`;
  const get = async (path: string): Promise<Json> =>
    (await harness.call('GET', `${base()}${path}`, undefined, as)).body;
  const refusal = async (tool: string, input: object): Promise<string> => {
    const { isError, content } = await assistant.call(tool, input);
    expect(isError, `${tool} ${JSON.stringify(input)}`).to.equal(true);
    return content[0].text;
  };

  it('reaches no other endpoint by an ID that a URL parser removes: revoking ".." erases no customer', async () => {
    expect(await refusal('revoke_access', { customer: CUSTOMER, entitlement: '..' })).to.match(/^No entitlement \.\./);
    for (const customer of ['.', '..']) {
      for (const tool of ['get_customer', 'explain_access', 'get_timeline'])
        expect(await refusal(tool, { customer })).to.match(/no URL can contain it/);
    }
    expect(await refusal('trace_transaction', { transactionId: '..' })).to.match(/no URL can contain it/);
    expect(await refusal('check_webhook', { webhook: '' })).to.match(/no URL can contain it/);
    expect((await get(`/customers/${CUSTOMER}`)).appUserId).to.equal(CUSTOMER);
  });

  it('previews nothing that cannot be done', async () => {
    const { body: hook } = await harness.call('POST', `${base()}/webhooks`, { url: 'https://hooks.example.com/y' }, as);
    const past = { customer: CUSTOMER, entitlement: 'pro', until: '2020-01-01T00:00:00Z' };
    expect(await refusal('grant_access', past)).to.equal('until must be in the future.');
    expect(await refusal('redeliver', { webhook: hook.id, delivery: 'whd_none' })).to.match(/delivery not found/);
    expect(await refusal('set_attributes', { customer: CUSTOMER, attributes: { $email: 'x' } })).to.match(/email/);
    const product = { appId: 'app_x', storeProductId: 'x.y', displayName: 'X', type: 'subscription', duration: 'P1M' };
    expect(await refusal('apply_catalog', { products: [product] })).to.match(/^No app app_x/);
    const nothing = await assistant.ask('revoke_access', { customer: CUSTOMER, entitlement: 'pro' });
    expect(nothing.preview).to.deep.equal(['No grant of pro to end.']);
  });

  it('shows unseen characters escaped, in answers and in previews', async () => {
    const name = 'ben\u{202e}\u{e0041}\u{200b}x';
    const attributes = { note: 'a\u{2066}b' };
    await harness.call('POST', `/v1/subscribers/${encodeURIComponent(name)}`, { attributes }, as);
    await harness.service().idle();
    const shown = 'ben\\u{202e}\\u{e0041}\\u{200b}x';
    const { id } = await get(`/customers/${encodeURIComponent(name)}`);
    const found = await assistant.ask('get_customer', { customer: id });
    expect(found.appUserId).to.equal(shown);
    const { preview } = await assistant.ask('grant_access', { customer: name, entitlement: 'pro', duration: 'weekly' });
    expect(preview.join(' ')).to.include(shown);
    const { content } = await assistant.call('get_customer', { customer: `${name}-unknown` });
    for (const answer of [found, preview, content])
      expect(JSON.stringify(answer)).not.to.match(/[\u{202e}\u{e0041}\u{200b}]/u);
  });

  it('applies two previews of one state once', async () => {
    const input = { customer: 'two-tokens', entitlement: 'pro', duration: 'weekly' };
    await harness.call('POST', '/v1/subscribers/two-tokens', {}, as);
    await harness.service().idle();
    const first = await assistant.ask('grant_access', input);
    let second = await assistant.ask('grant_access', input);
    while (second.confirm === first.confirm) second = await assistant.ask('grant_access', input);
    const tokens: readonly string[] = [first.confirm, second.confirm];
    // Which of the two reads the state first is left to chance; one may be refused since the other has changed it.
    await Promise.all(tokens.map((confirm) => assistant.call('grant_access', { ...input, confirm })));
    await harness.service().idle();
    expect((await get('/customers/two-tokens')).promotionalGrants).to.have.length(1);
  });

  it('names no member of the team, unless key and server show personal data', async () => {
    const path = `/v1/subscribers/${CUSTOMER}/entitlements`;
    const member = { token: slice.token, headers: { 'x-project-id': slice.projectId } };
    const granted = await harness.call('POST', path, { entitlementId: 'pro', duration: 'weekly' }, member);
    expect(granted.status).to.equal(201);
    await harness.service().idle();
    const timeline = await get(`/customers/${CUSTOMER}/timeline`);
    expect(timeline.items[0].actor.name).to.match(/@/);
    const everything = await connect(harness, await makeKey(harness, slice, [...keyScopes]));
    const { entries } = await everything.ask('get_timeline', { customer: CUSTOMER });
    expect(entries[0].actor).to.deep.equal({ ...timeline.items[0].actor, name: null });
  });

  it('links to the page with the same figures', async () => {
    const input = { chart: 'revenue', start: '2026-01-01', end: '2026-03-31', interval: 'month' };
    const query = async (tool: string, more: object) => {
      const { link } = await assistant.ask(tool, { ...input, ...more });
      return [...new URL(String(link)).searchParams].filter(([name]) => name !== 'period' && name !== 'interval');
    };
    const sold = { filters: { country: ['DE', 'AT'] }, environment: 'sandbox', selectors: { revenueType: 'proceeds' } };
    expect(await query('get_chart', { ...sold, segment: 'store' })).to.have.deep.members([
      ['filter', 'country:DE,AT'],
      ['environment', 'sandbox'],
      ['currency', 'USD'],
      ['revenueType', 'proceeds'],
      ['segment', 'store'],
    ]);
    const { link } = await assistant.ask('get_overview', { environment: 'sandbox' });
    expect(link).to.match(/\/overview\?environment=sandbox$/);
  });

  it('marks a failing payment of the sandbox, and access by another purchase or grant', async () => {
    const token = testToken(Date.now());
    const receipt = { app_user_id: 'failing', fetch_token: token, product_id: TEST_MONTHLY, currency: 'USD' };
    await sdk('POST', '/v1/receipts', receipt);
    const act = (action: string, more: object) =>
      harness.call('POST', `${base()}/transactions/${token}/test-action`, { action, ...more }, as);
    await act('renew', { expiresAt: new Date(Date.now() + 1000).toISOString() });
    await act('billing_issue', { graceEndsAt: null });
    await harness.call(
      'POST',
      '/v1/subscribers/failing/entitlements',
      { entitlementId: 'pro', duration: 'weekly' },
      as,
    );
    const read = async (): Promise<Json[]> => {
      await harness.service().idle();
      return (await assistant.ask('find_problem_customers', { kind: 'billing_issue' })).customers;
    };
    // The status begins at the end of the period.
    const [found] = await poll(read, (customers) => customers.length > 0);
    expect(found?.reason).to.match(
      /^payment for pro_monthly \(test-store, sandbox\) fails; it gives no access since .*Z; another purchase or grant gives pro$/,
    );
  }).timeout(120_000);

  it('lists the newest of many purchases and transactions', async () => {
    const buy = async (fetch_token: string, product_id: string) =>
      (await sdk('POST', '/v1/receipts', { app_user_id: 'many', fetch_token, product_id, currency: 'USD' })).status;
    const coins = Array.from({ length: 21 }, () => testToken(Date.now()));
    for (const token of coins) expect(await buy(token, TEST_COINS)).to.equal(200);
    const monthly = testToken(Date.now());
    expect(await buy(monthly, TEST_MONTHLY)).to.equal(200);
    const renew = `${base()}/transactions/${monthly}/test-action`;
    for (let i = 0; i < 24; i++) await harness.call('POST', renew, { action: 'renew' }, as);
    await harness.service().idle();
    const { purchases, purchaseCount, subscriptions } = await assistant.ask('get_customer', { customer: 'many' });
    expect(purchaseCount).to.equal(21);
    expect(purchases.map((p: Json) => p.id)).to.have.members(coins.slice(1));
    const { latestTransactionId } = subscriptions[0];
    const { subscriptionTransactions } = await assistant.ask('trace_transaction', {
      transactionId: latestTransactionId,
    });
    expect(subscriptionTransactions).to.have.length(24);
    expect(subscriptionTransactions.map((t: Json) => t.id))
      .to.include(latestTransactionId)
      .and.not.include(monthly);
  }).timeout(120_000);

  it('compares a catalogue of more than a hundred products with all of it', async () => {
    const { body: entitlement } = await harness.call(
      'POST',
      `${base()}/entitlements`,
      { lookupKey: 'first', displayName: 'First' },
      as,
    );
    const products = Array.from({ length: 101 }, (_, i) => ({
      ...{ appId: slice.appId, storeProductId: `many.${i}`, displayName: `Many ${i}`, type: 'subscription' },
      duration: 'P1M',
    }));
    const made: string[] = [];
    for (const product of products) made.push((await harness.call('POST', `${base()}/products`, product, as)).body.id);
    const attached = `${base()}/entitlements/${entitlement.id}/products`;
    await harness.call('POST', attached, { productIds: [made[0]] }, as);
    await harness.service().idle();
    const { conflicts } = await assistant.ask('get_catalog', { section: 'conflicts' });
    expect(conflicts).to.not.include('Entitlement first is unlocked by no product.');
    const wanted = {
      products: [products[0]],
      entitlements: [{ lookupKey: 'pro', displayName: 'Pro', products: [MONTHLY] }],
    };
    expect((await assistant.ask('apply_catalog', wanted)).preview).to.deep.equal(['Nothing is missing.']);
  }).timeout(120_000);
});

describe('a tool with an instant', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice, as } = setUpService({ MCP: 'true', RATE_LIMITS: 'off' }, clock.runtime);

  it('takes every form of ISO 8601, and returns it in UTC', async () => {
    await harness.call('POST', `/v1/subscribers/${CUSTOMER}`, {}, as);
    await harness.service().idle();
    const assistant = await connect(harness, await makeKey(harness, slice, [...keyScopes]));
    clock.set(Date.parse('2026-11-20T10:00:05.000Z'));
    const inputs = {
      get_customer: { customer: CUSTOMER },
      get_timeline: { customer: CUSTOMER },
      get_overview: {},
      customers_behind: { chart: 'revenue', period: 'this_month', interval: 'month', bucket: '2026-11-01' },
    };
    for (const asOf of ['2026-11-20T10:00:02.000Z', '2026-11-20T10:00:02Z', '2026-11-20T12:00:02+02:00'])
      for (const [tool, input] of Object.entries(inputs))
        expect((await assistant.ask(tool, { ...input, asOf })).asOf, tool).to.equal('2026-11-20T10:00:02.000Z');
  });
});
