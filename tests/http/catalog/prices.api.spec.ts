// The prices to assume for a product.
import { expect } from 'chai';
import { expectRefused } from '../support/refusal.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

describe('prices of a product', () => {
  const { harness, slice, as } = setUpServiceWithFreshProjects();
  let product: string;
  beforeEach(() => {
    product = `/v1/projects/${slice.projectId}/products/${slice.productId}`;
  });

  const add = (body: object, at = product) => harness.call('POST', `${at}/prices`, body, as);
  const remove = (id: string) => harness.call('DELETE', `${product}/prices/${id}`, undefined, as);
  const shown = async () => (await harness.call('GET', product, undefined, as)).body.prices;

  it('are added with defaults and shown with the product', async () => {
    const { status, body } = await add({ amount: 9.99, currency: 'USD' });
    expect(status).to.equal(201);
    const { id, ...price } = body;
    expect(id).to.match(/^price_[0-9a-z]{26}$/);
    expect(price).to.deep.equal({
      ...{ object: 'price', productId: slice.productId, amount: 9.99, amountMicros: 9_990_000 },
      ...{ currency: 'USD', country: null, startsAt: null },
    });
    expect(await shown()).to.deep.equal([body]);
    const listed = await harness.call('GET', `/v1/projects/${slice.projectId}/products`, undefined, as);
    expect(listed.body.items[0].prices).to.deep.equal([body]);
  });

  it('count in the decimals of their currency', async () => {
    for (const [amount, currency, amountMicros] of [
      [1500, 'JPY', 1_500_000_000],
      [1.234, 'KWD', 1_234_000],
      [0.29, 'EUR', 290_000],
      [0, 'GBP', 0],
    ] as const)
      expect((await add({ amount, currency })).body).to.include({ amount, currency, amountMicros });
  });

  it('are one for each currency, country and start', async () => {
    const price = { amount: 1, currency: 'USD', country: 'US', startsAt: '2026-12-01T01:00:00+01:00' };
    expect((await add(price)).body.startsAt).to.equal('2026-12-01T00:00:00.000Z');
    const same = { ...price, amount: 2, startsAt: '2026-12-01T00:00:00.000Z' };
    await expectRefused(harness, () => add(same), 409);
    for (const other of [{ country: 'CA' }, { currency: 'CAD' }, { startsAt: null }])
      expect((await add({ ...price, ...other })).status, JSON.stringify(other)).to.equal(201);
    expect(await shown()).to.have.length(4);
  });

  for (const body of [
    { currency: 'USD' },
    { amount: '9.99', currency: 'USD' },
    { amount: -1, currency: 'USD' },
    { amount: 9.999, currency: 'USD' },
    { amount: 1.5, currency: 'JPY' },
    { amount: 1e10, currency: 'USD' },
    { amount: 1, currency: 'usd' },
    { amount: 1, currency: 'XXX' },
    { amount: 1, currency: 'USD', country: 'usa' },
    { amount: 1, currency: 'USD', startsAt: 'soon' },
    { amount: 1, currency: 'USD', endsAt: null },
  ]) {
    it(`are refused as ${JSON.stringify(body)}`, () => expectRefused(harness, () => add(body), 400));
  }

  it('are deleted once, and may be added again', async () => {
    const price = { amount: 1, currency: 'USD' };
    const { id } = (await add(price)).body;
    const { status, body } = await remove(id);
    expect([status, body]).to.deep.equal([200, { object: 'price', id, deleted: true }]);
    expect(await shown()).to.deep.equal([]);
    await expectRefused(harness, () => remove(id), 404);
    expect((await add(price)).status).to.equal(201);
  });
});
