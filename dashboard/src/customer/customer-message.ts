// Text about access that support can send to the customer: no IDs, no technical words, and the next step.
import type { Schemas } from '../api/client';
import type { ProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { day, sentenceCase } from '../parts/format';

type Explanation = Schemas['AccessExplanation'];
type Source = Explanation['sources'][number];

export type MessageContext = {
  readonly explanation: Explanation;
  /** Display name of the entitlement. */
  readonly what: string;
  readonly names: ProductNames;
};

const on = (at: string) => day(at, 'longDay');

export function customerMessage({ explanation, what, names }: MessageContext): string {
  const { has, asOf, sources } = explanation;
  const [source] = sources;
  const opening = has ? `You have access to ${what}.` : `At the moment you have no access to ${what}.`;
  const reason = source ? reasonOf(source, explanation, names) : NO_PURCHASE;
  return ['Hello,', `${opening} ${reason}`, `(As of ${on(asOf)}.)`].join('\n\n');
}

const OTHER_ACCOUNT = 'If you used another account, please log in with it, or choose “Restore purchases” in the app.';
const NO_PURCHASE = `We cannot find a purchase for your account. ${OTHER_ACCOUNT} Otherwise, please send us the order number from the store’s receipt.`;

function reasonOf(source: Source, explanation: Explanation, names: ProductNames): string {
  const thing = thingOf(source, names);
  const store = storeName(source.store);
  const end = source.until === null ? null : on(source.until);
  switch (source.why) {
    case 'gives':
      return `${sentenceCase(thing)} ${currentTermOf(source, explanation)}.`;
    case 'expired':
      return `${sentenceCase(thing)} ended on ${end}. You can subscribe again in the app at any time.`;
    case 'refunded':
      return `${sentenceCase(thing)} was refunded, so access ended on ${end}. You can buy it again in the app at any time.`;
    case 'revoked':
      return source.kind === 'promotional'
        ? `${sentenceCase(thing)} ended on ${end}.`
        : `The ${store} took ${thing} back on ${end}. Its support can tell you why.`;
    case 'paused':
      return `${sentenceCase(thing)} is paused. You can resume it in the subscription settings of the ${store}.`;
    case 'billing_retry':
      return `The ${store} could not charge the renewal of ${thing}. Please check your payment method there: access returns with the payment.`;
    case 'moved':
      return `${sentenceCase(thing)} now belongs to another account in the app. ${OTHER_ACCOUNT}`;
    case 'sandbox_not_allowed':
      return `${sentenceCase(thing)} was made with a test account, which gives no access.`;
    case 'product_not_attached':
      return `${sentenceCase(thing)} does not include it.`;
    case 'not_begun':
      return `${sentenceCase(thing)} is not paid yet. Access begins as soon as the ${store} confirms the payment.`;
  }
}

function thingOf({ kind, store, storeProductId }: Source, names: ProductNames): string {
  if (kind === 'promotional' || storeProductId === null) return 'the access that we gave you free of charge';
  const name = `“${names.nameOf({ storeProductId })}”`;
  return `your ${kind === 'subscription' ? 'subscription' : 'purchase'} ${name} (${storeName(store)})`;
}

function currentTermOf({ id, until, store }: Source, { wouldChange }: Explanation): string {
  const next = wouldChange.find(({ source }) => source === id);
  if (until === null) return 'has no end';
  if (next?.kind === 'renewal_due') return `renews on ${on(next.at ?? until)}`;
  if (next?.kind === 'grace_ends')
    return `could not be charged; access continues until ${on(next.at ?? until)}. Please check your payment method in the ${storeName(store)}`;
  return `lasts until ${on(until)}`;
}
