// Ends of rows of RevenueCat's export: the effective end is that of access, and what does not renew is not for ever.
import { expect } from 'chai';
import { readTransaction } from '../../../src/commands/imports/revenuecat/transactions.js';
import { catalogDecider, type Catalog } from '../../../src/domain/catalog/catalog.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import type { ImportedFact } from '../../../src/domain/imports/facts.js';
import { planCustomer } from '../../../src/domain/imports/plan-customer.js';
import type { App } from '../../../src/domain/project/events.js';

const needs = { now: '2026-11-20T10:00:00.000Z', options: importOptions.parse({}) };
const row = {
  ...{ rc_original_app_user_id: 'ann', store: 'play_store', product_identifier: 'pro:monthly' },
  ...{ start_time: '2026-01-01 10:00:00', end_time: '2026-02-01 10:00:00', is_auto_renewable: 'true' },
  store_transaction_id: 'GPA.1111-2222-3333-44444',
};
const prepaid = { ...row, end_time: '', is_auto_renewable: 'False' };

function endsOf(changes: Readonly<Record<string, string>>) {
  const read = readTransaction({ from: { file: 'a.csv', row: 2 }, values: { ...row, ...changes } }, needs);
  expect(read.problems).to.deep.equal([]);
  const { kind, expiresAt, graceExpiresAt, accessEndsAt, billingIssueAt } = read.facts[0]?.purchase ?? {};
  const day = (time: string | null | undefined) => time?.slice(0, 10) ?? null;
  return [kind, day(expiresAt), day(graceExpiresAt), day(accessEndsAt), day(billingIssueAt)];
}

describe('the ends of a row', () => {
  for (const [name, changes, expected] of [
    ['of a period', {}, ['normal', '2026-02-01', null, null, null]],
    [
      'of access after the period are a grace period',
      { effective_end_time: '2026-02-17 10:00:00' },
      ['normal', '2026-02-01', '2026-02-17', null, '2026-02-01'],
    ],
    [
      'of grace without a failed payment have one',
      { grace_period_end_time: '2026-02-08 10:00:00' },
      ['normal', '2026-02-01', '2026-02-08', null, '2026-02-01'],
    ],
    [
      'of access before the period',
      { effective_end_time: '2026-01-10 10:00:00' },
      ['normal', '2026-02-01', null, '2026-01-10', null],
    ],
    [
      'of a prepaid period follow from its duration',
      { ...prepaid, product_duration: 'P1M' },
      ['prepaid', '2026-02-01', null, null, null],
    ],
    [
      'of a prepaid period are the effective one',
      { ...prepaid, effective_end_time: '2026-01-20 10:00:00' },
      ['prepaid', '2026-01-20', null, null, null],
    ],
    ['of a lifetime are none', { ...prepaid, product_duration: 'P200Y' }, ['one_time', null, null, null, null]],
  ] as const)
    it(name, () => expect(endsOf(changes)).to.deep.equal(expected));
});

describe('a purchase without an end in the file', () => {
  const hash = (...parts: readonly string[]) => parts.join();
  const app = { appId: 'app_1', store: 'android-store', refundPolicy: 'revoke_immediately' } as unknown as App;
  const plan = (
    type: 'subscription' | 'non_renewing_subscription' | 'non_consumable',
    duration: string | null,
    cells = {},
  ) => {
    const product = {
      productId: 'prod_1',
      appId: app.appId,
      storeProductId: 'pro:monthly',
      type,
      duration,
      trialDuration: null,
    };
    const catalog = { ...catalogDecider.initial(), products: [product as unknown as Catalog['products'][number]] };
    const values = { ...prepaid, ...cells };
    const { facts } = readTransaction({ from: { file: 'a.csv', row: 2 }, values }, needs);
    const terms = { ...needs, projectId: 'proj_1', catalog, apps: [app], hash };
    const { lines, problems } = planCustomer(facts as [ImportedFact, ...ImportedFact[]], terms, () => false);
    return [lines.map(({ until, isSubscription }) => [until?.slice(0, 10) ?? null, isSubscription]), codesOf(problems)];
  };
  const codesOf = (problems: readonly { readonly code: string }[]) =>
    problems.map(({ code }) => code).filter((code) => code !== 'unanchored' && code !== 'price-unknown');
  for (const [what, planned, expected] of [
    ['ends by the duration of its product here', plan('subscription', 'P1M'), [[['2026-02-01', true]], []]],
    ['that does not renew ends by it too', plan('non_renewing_subscription', 'P1Y'), [[['2027-01-01', false]], []]],
    ['is left out and listed without any duration', plan('subscription', null), [[], ['end-missing']]],
    ['of a product for ever has none', plan('non_consumable', null), [[[null, false]], []]],
    [
      'has none if the file says so',
      plan('non_renewing_subscription', 'P1Y', { product_duration: 'P200Y' }),
      [[[null, false]], []],
    ],
    [
      'is left alone if the file states its duration',
      plan('subscription', 'P1Y', { product_duration: 'P1M' }),
      [[['2026-02-01', true]], []],
    ],
  ] as const)
    it(what, () => expect(planned).to.deep.equal(expected));
});
