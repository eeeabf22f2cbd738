// Tools that change something: nothing without a preview, nothing with a token that does not fit, once with one that does.
import { expect } from 'chai';
import type { Json } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { createManualClock } from '../support/manual-clock.js';
import { connect, makeKey, type Assistant } from './setup.js';

const CUSTOMER = 'ben';
const GRANT = { customer: CUSTOMER, entitlement: 'pro', duration: 'weekly' };

describe('a tool that changes something', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice, as } = setUpService({ MCP: 'true' }, clock.runtime);
  let assistant: Assistant;
  before(async () => {
    await harness.call('POST', `/v1/subscribers/${CUSTOMER}`, {}, as);
    assistant = await connect(harness, as.key);
  });
  const head = async () => {
    await harness.service().idle();
    return harness.service().services.deps.log.head();
  };
  const detail = async (): Promise<Json> =>
    (await harness.call('GET', `/v1/projects/${slice.projectId}/customers/${CUSTOMER}`, undefined, as)).body;
  const expectUnchanged = async (run: () => Promise<unknown>) => {
    const before = await head();
    await run();
    expect(await head()).to.equal(before);
  };

  it('appends nothing for a preview, whatever it would change', () =>
    expectUnchanged(async () => {
      const previews: readonly (readonly [string, object])[] = [
        ['grant_access', GRANT],
        ['revoke_access', { customer: CUSTOMER, entitlement: 'pro' }],
        ['set_attributes', { customer: CUSTOMER, attributes: { colour: 'red' } }],
        ['apply_catalog', { entitlements: [{ lookupKey: 'gold', displayName: 'Gold' }] }],
      ];
      for (const [name, input] of previews) {
        const { applied, confirm } = await assistant.ask(name, input);
        expect(applied, name).to.equal(false);
        expect(confirm, name).to.be.a('string');
      }
    }));

  it('previews no grant of an unknown entitlement', () =>
    expectUnchanged(async () => {
      const { isError, content } = await assistant.call('grant_access', { ...GRANT, entitlement: 'none' });
      expect(isError).to.equal(true);
      expect(content[0].text).to.equal('No entitlement none; this project has pro.');
    }));

  it('asks for the preview first', () =>
    expectUnchanged(async () => {
      const { isError, content } = await assistant.call('grant_access', { ...GRANT, dryRun: false });
      expect(isError).to.equal(true);
      expect(content[0].text).to.match(/confirm token/);
    }));

  it('refuses a token with other arguments, of another key, of another tool, or one that is made up', async () => {
    const other = await connect(harness, await makeKey(harness, slice, ['support']));
    await expectUnchanged(async () => {
      const { confirm } = await assistant.ask('grant_access', GRANT);
      const results = [
        await assistant.call('grant_access', { ...GRANT, duration: 'lifetime', confirm }),
        await other.call('grant_access', { ...GRANT, confirm }),
        await assistant.call('revoke_access', { customer: CUSTOMER, entitlement: 'pro', confirm }),
        await assistant.call('grant_access', { ...GRANT, confirm: `${confirm.slice(0, -2)}zz` }),
        await assistant.call('grant_access', { ...GRANT, confirm: 'yes' }),
      ];
      for (const { isError, content } of results) {
        expect(isError).to.equal(true);
        expect(content[0].text).to.match(/does not fit/);
      }
    });
  });

  it('refuses a token after five minutes', () =>
    expectUnchanged(async () => {
      const { confirm } = await assistant.ask('grant_access', GRANT);
      clock.set(clock.now() + 5 * 60_000 + 1);
      expect((await assistant.call('grant_access', { ...GRANT, confirm })).isError).to.equal(true);
    }));

  it('refuses a token if the customer has changed since the preview', async () => {
    const { confirm } = await assistant.ask('grant_access', GRANT);
    await harness.call('POST', `/v1/subscribers/${CUSTOMER}/attributes`, { attributes: { size: 'L' } }, as);
    await expectUnchanged(async () => {
      const { isError, content } = await assistant.call('grant_access', { ...GRANT, confirm });
      expect(isError).to.equal(true);
      expect(content[0].text).to.match(/something has changed/);
    });
  });

  it('grants and revokes access with a token, and shows the assistant on the timeline', async () => {
    const { confirm, activeBefore, preview } = await assistant.ask('grant_access', GRANT);
    expect(activeBefore).to.deep.equal([]);
    expect(preview).to.have.length(1);
    const done = await assistant.ask('grant_access', { ...GRANT, confirm });
    expect(done).to.deep.include({ applied: true, confirm: null, activeAfter: ['pro'] });
    expect((await detail()).activeEntitlements).to.deep.equal(['pro']);
    expect((await assistant.call('grant_access', { ...GRANT, confirm })).isError, 'a used token').to.equal(true);
    const { entries } = await assistant.ask('get_timeline', { customer: CUSTOMER, types: ['EntitlementGranted'] });
    expect(entries).to.have.length(1);
    expect(entries[0].actor).to.deep.include({ kind: 'api_key', via: 'mcp: spec-assistant' });

    const input = { customer: CUSTOMER, entitlement: 'pro' };
    const second = await assistant.ask('revoke_access', input);
    expect(second.preview[0]).to.include(done.grant.id);
    await assistant.ask('revoke_access', { ...input, confirm: second.confirm });
    expect((await detail()).activeEntitlements).to.deep.equal([]);
  });

  it('sets attributes', async () => {
    const input = { customer: CUSTOMER, attributes: { colour: 'red' } };
    const { confirm, before } = await assistant.ask('set_attributes', input);
    expect(before).to.equal(undefined);
    await assistant.ask('set_attributes', { ...input, confirm });
    expect((await detail()).attributes.colour.value).to.equal('red');
  });

  it('sends test events to a webhook, and redelivers', async () => {
    const base = `/v1/projects/${slice.projectId}/webhooks`;
    const hook = await harness.call('POST', base, { url: 'https://hooks.example.com/x' }, as);
    const webhook: string = hook.body.id;
    const input = { webhook, kinds: ['TEST', 'RENEWAL'] };
    const { confirm, preview } = await assistant.ask('verify_webhook_handler', input);
    expect(preview.join()).to.include('hooks.example.com');
    const { deliveries } = await assistant.ask('verify_webhook_handler', { ...input, confirm });
    expect(deliveries).to.have.length(2);
    const again = { webhook, delivery: deliveries[0] };
    const second = await assistant.ask('redeliver', again);
    const sent = await assistant.ask('redeliver', { ...again, confirm: second.confirm });
    expect(sent.deliveries).to.deep.equal([deliveries[0]]);
  });

  it('brings the catalogue to a desired state, and finds nothing missing afterwards', async () => {
    const input = {
      products: [
        { appId: slice.appId, storeProductId: 'gold.year', displayName: 'Gold', type: 'subscription', duration: 'P1Y' },
      ],
      entitlements: [{ lookupKey: 'gold', displayName: 'Gold', products: ['gold.year'] }],
      offerings: [
        {
          lookupKey: 'winter',
          displayName: 'Winter',
          packages: [{ lookupKey: '$annual', displayName: 'Year', products: ['gold.year'] }],
        },
      ],
    };
    const { confirm, preview } = await assistant.ask('apply_catalog', input);
    expect(preview).to.have.length(6);
    await assistant.ask('apply_catalog', { ...input, confirm });
    const catalog = await assistant.ask('get_catalog');
    const product = catalog.products.find((p: Json) => p.storeProductId === 'gold.year');
    const entitlement = catalog.entitlements.find((e: Json) => e.lookupKey === 'gold');
    expect(entitlement.productIds).to.deep.equal([product.id]);
    const [offered] = catalog.offerings.find((o: Json) => o.lookupKey === 'winter').packages;
    expect(offered.products.map((p: Json) => p.id)).to.deep.equal([product.id]);
    expect((await assistant.ask('apply_catalog', input)).preview).to.deep.equal(['Nothing is missing.']);
    const unknown = await assistant.call('apply_catalog', {
      entitlements: [{ lookupKey: 'a', displayName: 'A', products: ['no'] }],
    });
    expect(unknown.content[0].text).to.match(/No product no/);
  });
});
