// Parameters of the next page of a list, as the service returns them.
import { expect } from 'chai';
import { nextPageQuery } from '../../sdk/src/items.js';

describe('the query of the next page', () => {
  it('has every value of a repeated parameter', () => {
    const next =
      '/v1/projects/p/metrics/charts/mrr/customers?startingAfter=cus_1&limit=10&filter=country%3AUS&filter=store%3Aios-store';
    expect(nextPageQuery(next)).to.deep.equal({
      startingAfter: 'cus_1',
      limit: '10',
      filter: ['country:US', 'store:ios-store'],
    });
  });

  it('is null after the last page', () => {
    expect(nextPageQuery(null)).to.equal(null);
  });
});
