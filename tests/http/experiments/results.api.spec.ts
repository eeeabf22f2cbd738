// Results of an experiment with enough customers: comparison by the primary metric, the check of the ratio, and results by segment,
// beside figures computed from the requests that were sent.
import { expect } from 'chai';
import { variantFor, type RunningExperiment } from '../../../src/domain/experiment/assign.js';
import { BUNDLE_ID, MONTHLY, store, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
const PER_VARIANT = 105;
const AT_ONCE = 42;

type Participant = { readonly who: string; readonly variantId: string; readonly country: string; readonly usd: number };

const asVariant = ({ id: variantId, ...variant }: Json) => ({ ...variant, variantId });

describe('results of an experiment', () => {
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({}, clock.runtime);
  const server = () => ({ key: slice.secretKey });
  const base = () => `/v1/projects/${slice.projectId}`;
  const post = async (path: string, body: object) =>
    (await harness.call('POST', `${base()}${path}`, body, server())).body;
  let experimentId = '';
  const variants = { a: '', b: '' };
  const participants: Participant[] = [];
  const get = (query = '') => harness.call('GET', `${base()}/experiments/${experimentId}${query}`, undefined, server());

  before(async function () {
    this.timeout(120_000);
    for (const lookupKey of ['standard', 'dear']) await post('/offerings', { lookupKey, displayName: lookupKey });
    experimentId = (await post('/experiments', { name: 'Price' })).id;
    const add = async (offeringId: string) =>
      (await post(`/experiments/${experimentId}/variants`, { name: offeringId, offeringId })).id;
    [variants.a, variants.b] = [await add('standard'), await add('dear')];
    const started = await harness.call(
      'PATCH',
      `${base()}/experiments/${experimentId}`,
      { status: 'running' },
      server(),
    );
    expect(started.status).to.equal(200);
    clock.set(NOW + 1000);
    const { startedAt, variants: all } = started.body;
    const audience = { countries: null, platforms: null, appIds: null, minAppVersion: null };
    const running: RunningExperiment = {
      experimentId,
      startedAt,
      enrollmentPercentage: 100,
      audience,
      variants: all.map(asVariant),
    };
    /** Names of customers that get the variant, so that no result depends on the random ID of the experiment. */
    const namesOf = function* (variantId: string): Generator<string> {
      for (let i = 0; ; i++) {
        const appUserId = `customer-${i}`;
        const device = { country: null, platform: null, appVersion: null, appIds: [] };
        const candidate = { appUserId, createdAt: new Date(clock.now()).toISOString(), ...device };
        if (variantFor(running, candidate)?.variantId === variantId) yield appUserId;
      }
    };
    const names = { a: namesOf(variants.a), b: namesOf(variants.b) };
    const join = async (i: number) => {
      const who = names[i % 2 === 0 ? 'a' : 'b'].next().value as string;
      const pair = i >> 1;
      const country = pair % 4 === 0 ? 'FR' : 'DE';
      const device = { country, platform: pair % 2 === 0 ? 'ios' : 'android' };
      await harness.call('POST', `/v1/subscribers/${who}`, device, { key: slice.publicKey });
      const { body } = await harness.call('GET', `/v1/subscribers/${who}/offerings`, undefined, {
        key: slice.publicKey,
      });
      const { variantId } = body.experiment;
      const isPaying = pair % 3 === 0;
      const usd = isPaying ? (variantId === variants.b ? 12 : 8) : 0;
      if (isPaying) {
        const receipt = store.signedTransaction({
          ...{ transactionId: `77000${i}`, productId: MONTHLY, bundleId: BUNDLE_ID, environment: 'Production' },
          ...{ purchaseDate: clock.now(), expiresDate: clock.now() + 30 * DAY_MS, price: usd * 1000, currency: 'USD' },
          // The country of a purchase moves no customer to another segment.
          storefront: 'USA',
        });
        const bought = await harness.call(
          'POST',
          `/v1/subscribers/${who}/receipts`,
          { store: 'ios-store', receipt },
          server(),
        );
        expect(bought.status).to.equal(200);
      }
      participants.push({ who, variantId, country, usd });
    };
    for (let i = 0; i < 2 * PER_VARIANT; i += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => join(i + n)));
    }
    await harness.service().idle();
  });

  const amountsOf = (variantId: string, country?: string) =>
    participants.filter((p) => p.variantId === variantId && (country ?? p.country) === p.country).map((p) => p.usd);
  const meanOf = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
  /** Variance of the mean, by the mean of the squares. */
  const errorOf = (values: readonly number[]) =>
    (meanOf(values.map((v) => v ** 2)) - meanOf(values) ** 2) / (values.length - 1);

  it('compare the primary metric, money per customer, by a method that they name', async () => {
    const { results, comparison, primaryMetric } = (await get()).body;
    expect(primaryMetric).to.equal('realized_ltv_per_customer');
    expect(comparison).to.include({
      ...{ method: 'welch_normal', isLowerBetter: false, minCustomers: 100, minOutcomes: 30 },
    });
    expect(comparison.definition).to.contain('Welch');
    const [control, dear] = results;
    const [a, b] = [amountsOf(variants.a), amountsOf(variants.b)];
    expect([control.customers, dear.customers]).to.deep.equal([a.length, b.length]);
    expect(control.primary).to.deep.include({ chanceToWin: null, interval: null, missing: null });
    expect(control.primary.value).to.be.closeTo(meanOf(a), 1e-6);
    expect(dear.primary.value).to.be.closeTo(meanOf(b), 1e-6);
    const difference = meanOf(b) - meanOf(a);
    const error = Math.sqrt(errorOf(a) + errorOf(b));
    expect(dear.primary.difference).to.be.closeTo(difference, 1e-6);
    expect(dear.primary.interval.low).to.be.closeTo(difference - 1.96 * error, 1e-3);
    expect(dear.primary.interval.high).to.be.closeTo(difference + 1.96 * error, 1e-3);
    expect(dear.primary.chanceToWin).to.be.within(0.5, 1);
    expect(dear.chanceToWin.conversionToPayingRate).to.be.within(0, 1);
    expect(dear.chanceToWin.trialConversionRate).to.equal(null);
  });

  it('check the ratio of the variants', async () => {
    const { ratioCheck } = (await get()).body;
    expect(ratioCheck).to.include({ threshold: 0.001, isSuspicious: false });
    expect(ratioCheck.chance).to.be.within(0.001, 1);
  });

  it('are given by the country and the platform of the creation, each with the least number of customers', async () => {
    expect((await get()).body.segments).to.deep.equal([]);
    const { segments } = (await get('?segment=country')).body;
    expect(segments.map((s: { value: string }) => s.value)).to.deep.equal(['DE', 'FR']);
    for (const { value, results } of segments) {
      const [control, dear] = results;
      const [a, b] = [amountsOf(variants.a, value), amountsOf(variants.b, value)];
      expect([control.customers, dear.customers], value).to.deep.equal([a.length, b.length]);
      expect(dear.primary.difference, value).to.be.closeTo(meanOf(b) - meanOf(a), 1e-6);
      const missing = 100 - Math.min(a.length, b.length);
      if (missing > 0) expect(dear.primary.missing.customers, value).to.equal(missing);
    }
    expect(segments[1].results[1].primary).to.include({ chanceToWin: null, interval: null });
    const platforms = (await get('?segment=platform')).body.segments;
    expect(platforms.map((s: { value: string }) => s.value).sort()).to.deep.equal(['android', 'ios']);
    for (const query of ['?segment=store', '?segment=', '?segment=country&segment=platform', '?segments=country']) {
      expectRefusal(await get(query), 400);
    }
  });

  it('show no amounts to a role without money, and the chance all the same', async () => {
    const { token } = await newMember(
      (...request) => harness.call(...request),
      slice.projectId,
      slice.token,
      'support',
    );
    const path = `${base()}/experiments/${experimentId}?segment=country`;
    const { status, body } = await harness.call('GET', path, undefined, { token });
    expect(status).to.equal(200);
    const dear = body.results[1];
    expect(dear.primary).to.have.all.keys('chanceToWin', 'missing');
    expect(dear.primary.chanceToWin).to.be.within(0.5, 1);
    for (const { results } of body.segments) {
      for (const { primary } of results) expect(primary).to.have.all.keys('chanceToWin', 'missing');
    }
  });
});
