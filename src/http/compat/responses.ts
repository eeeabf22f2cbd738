// Bodies that the SDKs decode; of iOS, Android and web the strictest rule for each field.
import { z } from 'zod';
import { personal } from '../bodies/response-schemas.js';

const time = z.iso.datetime();
const price = z.strictObject({ amount: z.number(), currency: z.string().length(3) });
const stores = z.enum(['app_store', 'play_store', 'test_store', 'promotional']);

export const subscription = z.strictObject({
  expires_date: time.nullable(),
  purchase_date: time,
  original_purchase_date: time,
  store: stores,
  is_sandbox: z.boolean(),
  period_type: z.enum(['trial', 'intro', 'normal', 'prepaid']),
  ownership_type: z.enum(['PURCHASED', 'FAMILY_SHARED']),
  unsubscribe_detected_at: time.nullable(),
  billing_issues_detected_at: time.nullable(),
  grace_period_expires_date: time.nullable(),
  refunded_at: time.nullable(),
  auto_resume_date: time.nullable(),
  store_transaction_id: z.string().min(1),
  product_plan_identifier: z.string().min(1).optional(),
  price: price.optional(),
  display_name: z.string().optional(),
});

export const oneTimePurchase = z.strictObject({
  id: z.string().min(1),
  purchase_date: time,
  original_purchase_date: time,
  is_sandbox: z.boolean(),
  store: stores,
  store_transaction_id: z.string().min(1),
  price: price.optional(),
  display_name: z.string().optional(),
});

const entitlement = z.strictObject({
  expires_date: time.nullable(),
  grace_period_expires_date: time.nullable(),
  product_identifier: z.string().min(1),
  product_plan_identifier: z.string().min(1).optional(),
  purchase_date: time,
});

const subscriber = z
  .strictObject({
    original_app_user_id: z.string().min(1),
    original_application_version: z.string().min(1).nullable(),
    original_purchase_date: time.nullable(),
    first_seen: time,
    last_seen: time,
    management_url: z.url().nullable(),
    entitlements: z.record(z.string(), entitlement),
    subscriptions: z.record(z.string(), subscription),
    non_subscriptions: z.record(z.string(), z.array(oneTimePurchase).min(1)),
    other_purchases: z.strictObject({}),
    subscriber_attributes: personal(
      z.record(z.string(), z.strictObject({ value: z.string(), updated_at_ms: z.int() })),
    ),
  })
  .refine(
    ({ entitlements, subscriptions, non_subscriptions }) =>
      Object.values(entitlements).every(
        ({ product_identifier: id }) => Object.hasOwn(subscriptions, id) || Object.hasOwn(non_subscriptions, id),
      ),
    'every entitlement names a purchase: the web SDK refuses the whole answer otherwise',
  );

const infoFields = { request_date: time, request_date_ms: z.int(), subscriber };
export const customerInfo = z.strictObject(infoFields);

const attributeError = z.strictObject({ key_name: z.string(), message: z.string() });
const attribute_errors = z.array(attributeError).optional();
export const receiptAnswer = z.strictObject({
  ...infoFields,
  purchased_products: z.record(z.string(), z.strictObject({ should_consume: z.boolean() })),
  attribute_errors,
});

const offeredPackage = z.strictObject({
  identifier: z.string().min(1),
  platform_product_identifier: z.string().min(1),
  platform_product_plan_identifier: z.string().min(1).optional(),
});
export const offerings = z.strictObject({
  current_offering_id: z.string(),
  offerings: z.array(
    z.strictObject({
      identifier: z.string().min(1),
      description: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      packages: z.array(offeredPackage).min(1),
    }),
  ),
  placements: z.strictObject({
    fallback_offering_id: z.string().nullable(),
    offering_ids_by_placement: z.record(z.string(), z.string().nullable()),
  }),
  /** Absent without a rule: Android refuses a null rule with a warning. */
  targeting: z.strictObject({ revision: z.int(), rule_id: z.string() }).optional(),
});

export const entitlementMapping = z.strictObject({
  product_entitlement_mapping: z.record(
    z.string(),
    z.strictObject({
      product_identifier: z.string().min(1),
      base_plan_id: z.string().min(1).optional(),
      entitlements: z.array(z.string()),
    }),
  ),
});

const money = z.strictObject({ amount_micros: z.int(), currency: z.string().length(3) });
const phase = z.strictObject({ period_duration: z.string(), cycle_count: z.int(), price: money });
const freePhase = phase.extend({ price: z.null() });
const option = z.strictObject({
  id: z.string(),
  price_id: z.string(),
  base: phase.optional(),
  base_price: money.optional(),
  trial: freePhase.nullable().optional(),
  intro_price: z.null().optional(),
  discount: z.null().optional(),
});
export const testProducts = z.strictObject({
  product_details: z.array(
    z.strictObject({
      identifier: z.string(),
      product_type: z.enum(['subscription', 'consumable', 'non_consumable']),
      title: z.string(),
      description: z.string().nullable(),
      default_purchase_option_id: z.string(),
      purchase_options: z.record(z.string(), option),
    }),
  ),
});

const signature = z.strictObject({ nonce: z.uuid(), signature: z.base64(), timestamp: z.int() });
const offerFields = { offer_id: z.string(), product_id: z.string(), key_id: z.string() };
export const signedOffers = z.strictObject({
  offers: z.array(
    z.union([
      z.strictObject({ ...offerFields, signature_data: signature, signature_error: z.null() }),
      z.strictObject({
        ...offerFields,
        signature_data: z.null(),
        signature_error: z.strictObject({ code: z.int(), message: z.string() }),
      }),
    ]),
  ),
});

/** Products for which the customer's own history gives the answer; of all others it is unknown. */
export const introEligibility = z.record(z.string(), z.boolean());
export const restoreEligibility = z.strictObject({ is_purchase_allowed_by_restore_behavior: z.boolean() });

export const nothing = z.strictObject({});
export const deletedSubscriber = z.strictObject({ app_user_id: z.string(), deleted: z.literal(true) });
