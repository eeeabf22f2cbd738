// The customer list of a chart's value: who may read it, and what is refused.
import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const VALUE = 'actives?startDate=2026-01-01&endDate=2026-03-31&interval=month&bucket=2026-02-01T00:00:00.000Z';

describe('customers of a value of a chart', () => {
  const { harness, slice } = setUpService({});
  const list = (value: string, rest = '', path = 'customers') =>
    harness.call(
      'GET',
      `/v1/projects/${slice.projectId}/${path}?chartValue=${encodeURIComponent(value)}${rest}`,
      undefined,
      { key: slice.secretKey },
    );

  it('are none for an empty value', async () => {
    const { status, body } = await list(VALUE);
    expect([status, body.items]).to.deep.equal([200, []]);
    const { body: counted } = await list(VALUE, '', 'customer-count');
    expect(counted).to.include({ count: 0, complete: true });
  });

  const refusals: readonly (readonly [title: string, value: string, rest: string, message: RegExp])[] = [
    ['an unknown chart', VALUE.replace('actives', 'none'), '', /ID of a chart/],
    ['no value', 'actives', '', /bucket is required/],
    ['a bucket that is none', VALUE.replace('02-01T', '02-02T'), '', /chartValue: bucket must be the start/],
    ['an unknown parameter', `${VALUE}&colour=blue`, '', /chartValue: .*colour/],
    ['a rate', VALUE.replace('actives', 'churn') + '&measure=churn_rate', '', /chartValue: measure must be one of/],
    ['a sort', VALUE, '&sort=lastSeenAt', /omit sort, order and search/],
    ['a search', VALUE, '&search=ana', /omit sort, order and search/],
    ['a cursor of another list', VALUE, '&startingAfter=cus_none', /startingAfter/],
    ['a long text', `${VALUE}&filter=country:${'DE,'.repeat(700)}DE`, '', /chartValue/],
  ];
  for (const [title, value, rest, message] of refusals) {
    it(`refuse ${title}`, async () => {
      const response = await list(value, rest);
      expectRefusal(response, 400);
      expect(response.body.message).to.match(message);
    });
  }

  it('are not shown to members who read no charts', async () => {
    const email = 'support@example.com';
    const invited = await harness.call(
      'POST',
      `/v1/projects/${slice.projectId}/members`,
      { email, role: 'support' },
      { token: slice.token },
    );
    const { body: account } = await harness.call('POST', '/auth/register', {
      ...{ email, password: 'correct horse battery', invitationToken: invited.body.token },
    });
    const as = { token: account.accessToken };
    const path = `/v1/projects/${slice.projectId}`;
    expect((await harness.call('GET', `${path}/customers`, undefined, as)).status).to.equal(200);
    for (const of of ['customers', 'customer-count']) {
      const refused = await harness.call('GET', `${path}/${of}?chartValue=${encodeURIComponent(VALUE)}`, undefined, as);
      expectRefusal(refused, 403);
    }
  });
});
