// The bodies in which the SDKs send receipts, written from the facts of their own tests and sources. Values are made up; the token, the buyer
// and the product are added by the spec.
import { MONTHLY } from '../support/harness.js';

export type RecordedReceipt = { readonly about: string; readonly fields: Readonly<Record<string, unknown>> };

const status = { $attConsentStatus: { value: 'notDetermined', updated_at_ms: 1_794_000_000_000 } };
const base = { is_restore: false, observer_mode: false, initiation_source: 'purchase', payload_version: 1 };
const product = { product_id: MONTHLY, price: '9.99', currency: 'EUR', store_country: 'DEU' };
const group = { ...product, subscription_group_id: 'group' };
const offer = { offer_identifier: 'winter', price: '4.99', payment_mode: 0 };
const placement = {
  ...{ presented_offering_identifier: 'default', presented_placement_identifier: 'start' },
  applied_targeting_rule: { revision: 3, rule_id: 'rule' },
};
const paywall = {
  ...{ paywall_id: 'winter', revision: 5, session_id: '1A2B3C4D-0000-4000-8000-0123456789AB' },
  ...{ display_mode: 'full_screen', dark_mode: true, locale: 'en_US' },
};
const custom = { 'a key': { value: '1', updated_at_ms: 1 }, another: { value: '2', updated_at_ms: 2 } };

const shapes: Readonly<Record<string, object>> = {
  'without a product': { attributes: status },
  'without attributes': {},
  'as a restore': { attributes: status, is_restore: true, initiation_source: 'restore' },
  'from the queue': { attributes: status, initiation_source: 'queue' },
  'in observer mode': { attributes: status, observer_mode: true, purchase_completed_by: 'my_app' },
  'with a product': { attributes: status, ...product },
  'with a free trial': { attributes: status, ...product, trial_duration: 'P1W', normal_duration: 'P1M' },
  'with a paid introduction': {
    ...{ attributes: status, ...product, payment_mode: 1, introductory_price: '1.99', intro_duration: 'P1M' },
  },
  'with a payment mode': { attributes: status, ...product, payment_mode: 2 },
  'with offers': { attributes: status, ...product, offers: [offer, { ...offer, payment_mode: 2 }] },
  'with offers and a group': { attributes: status, ...group, offers: [offer] },
  'with an offering': { attributes: status, presented_offering_identifier: 'default' },
  'with a placement': { attributes: status, ...group, ...placement },
  'with a paywall': { attributes: status, ...group, presented_offering_identifier: 'default', paywall },
  'with a paywall and its source': { attributes: status, ...group, paywall: { ...paywall, source: 'customer_center' } },
  'with a workflow': { attributes: status, ...product, presented_workflow_id: 'w', presented_step_id: 's' },
  'with a receipt identifier of a test': { attributes: status, ...product, test_receipt_identifier: 'test' },
  'with a transaction ID': { attributes: status, ...product, transaction_id: '2000000900000001' },
  'with an app transaction': { attributes: status, ...product, app_transaction: 'a.b.c', transaction_id: '1' },
  'with an attribution token': { attributes: status, aad_attribution_token: 'token' },
  'with attributes of the app': { attributes: { ...status, ...custom } },
  'with metadata': { attributes: status, ...product, metadata: { campaign: 'winter' } },
};

/** `earlier`: without the fields that releases of 2026 added. */
const iosReceipts = (earlier: boolean): readonly RecordedReceipt[] =>
  Object.entries(shapes).map(([about, fields]) => ({
    about: `of iOS ${about}${earlier ? ', from an earlier release' : ''}`,
    fields: { ...base, ...(!earlier && { sdk_originated: false, purchase_completed_by: 'revenuecat' }), ...fields },
  }));

export const receiptsOfIos = [...iosReceipts(false), ...iosReceipts(true)];

const phase = {
  ...{ billingPeriod: 'P1M', billingCycleCount: 0, recurrenceMode: 1, formattedPrice: '9,99 €' },
  ...{ priceAmountMicros: 9_990_000, priceCurrencyCode: 'EUR' },
};
const androidBase = { ...base, purchase_completed_by: 'revenuecat', sdk_originated: true };
const sold = { product_ids: ['pro'], price: 9.99, currency: 'EUR', normal_duration: 'P1M' };
const platform = (more: object) => ({ platform_product_ids: [{ product_id: 'pro', ...more }] });

export const receiptsOfAndroid: readonly RecordedReceipt[] = [
  { about: 'with a base plan', fields: { ...androidBase, ...sold, ...platform({ base_plan_id: 'monthly' }) } },
  {
    about: 'with an offer and its phases',
    fields: {
      ...{ ...androidBase, ...sold, ...platform({ base_plan_id: 'monthly', offer_id: 'trial' }) },
      pricing_phases: [{ ...phase, priceAmountMicros: 0, billingCycleCount: 1, recurrenceMode: 3 }, phase],
    },
  },
  { about: 'of a one-time product', fields: { ...androidBase, product_ids: ['coins'], price: 1.99, currency: 'EUR' } },
  {
    about: 'of a replacement',
    fields: {
      ...androidBase,
      ...sold,
      ...platform({ base_plan_id: 'yearly' }),
      proration_mode: 'CHARGE_PRORATED_PRICE',
    },
  },
  { about: 'as a restore', fields: { ...androidBase, ...sold, is_restore: true, initiation_source: 'restore' } },
  {
    about: 'of purchases that were not sent',
    fields: { ...androidBase, ...sold, initiation_source: 'unsynced_active_purchases', sdk_originated: false },
  },
  {
    about: 'with a paywall, a placement and attributes',
    fields: { ...androidBase, ...sold, ...placement, paywall, attributes: { ...status, ...custom } },
  },
  {
    about: 'of an earlier release',
    fields: { product_ids: ['pro'], is_restore: false, observer_mode: false, price: 9.99, currency: 'EUR' },
  },
];

/** Complete body of the web SDK, apart from the token and the buyer. */
export const receiptOfWeb: RecordedReceipt = {
  about: 'of the web',
  fields: {
    ...{ product_id: 'pro_monthly', currency: 'USD', presented_offering_identifier: 'default' },
    ...{ presented_placement_identifier: null, applied_targeting_rule: null, initiation_source: 'purchase' },
  },
};
