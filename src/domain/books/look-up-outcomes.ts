// Outcomes of looking up an order, or a group of sales, at the store that only a report has, in words.

/** `no_credentials` and `not_permitted` are tried again. */
export const lookUpOutcomes = [
  'recorded',
  'no_credentials',
  'not_permitted',
  'unknown_order',
  'no_purchase',
  'purchase_deleted',
  'not_shown',
  'histories_read',
  'nobody_known',
] as const;
export type LookUpOutcome = (typeof lookUpOutcomes)[number];

/** Meaning of each outcome, and what to do about it. */
export const lookUpTexts: Readonly<Record<LookUpOutcome, string>> = {
  recorded: 'It was read from the store and recorded, since the report named it.',
  no_credentials: 'The app has no credentials of the store: register them, and it is looked up within a day.',
  not_permitted:
    'The service account may not see orders: give it “View financial data, orders, and cancellation survey responses” in the Play Console, and it is looked up within a day.',
  unknown_order: 'The store does not know the order any more.',
  no_purchase: 'The store shows the order without its purchase, so that nobody can be found to whom it belongs.',
  purchase_deleted: 'The store has deleted the purchase, as it does some time after a purchase ended.',
  not_shown: 'The store shows the purchase, but not this charge or refund of it.',
  histories_read:
    'The histories of customers who may be meant were read from the store, and what was new was recorded: the rest is of customers who were never known here, or is not in the store’s history.',
  nobody_known:
    'No customer who is known here may be meant: nobody’s subscription to this product ended near this day in this country, or nobody’s charge could have been refunded.',
};
