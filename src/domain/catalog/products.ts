// Events and state of products and of the prices that are assumed when a store reports none. The rules are in decide-product.ts.
import { z } from 'zod';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { appStore } from '../store-kinds.js';
import { instant } from '../subscriber/events/blocks.js';

export const productType = z.enum(['subscription', 'consumable', 'non_consumable', 'non_renewing_subscription']);
export type ProductType = z.output<typeof productType>;

const priceFields = { productId: z.string(), priceId: z.string() };

export const productEvents = {
  ProductCreated: defineEvent('ProductCreated', {
    productId: z.string(),
    appId: z.string(),
    store: appStore,
    storeProductId: z.string(),
    displayName: z.string(),
    type: productType,
    duration: z.string().nullable(),
    trialDuration: z.string().nullable(),
    gracePeriodDuration: z.string().nullable(),
  }),
  ProductDeleted: defineEvent('ProductDeleted', {
    productId: z.string(),
    appId: z.string(),
    storeProductId: z.string(),
  }),
  /** `country` null: all countries without a price of their own. `startsAt` null: no start. */
  ProductPriceAdded: defineEvent('ProductPriceAdded', {
    ...priceFields,
    amountMicros: z.int(),
    currency: z.string().length(3),
    country: z.string().length(2).nullable(),
    startsAt: instant.nullable(),
  }),
  ProductPriceDeleted: defineEvent('ProductPriceDeleted', priceFields),
};
export type ProductEvent = EventOf<typeof productEvents>;
type ProductData<T extends ProductEvent['type']> = Extract<ProductEvent, { type: T }>['data'];

export type Product = ProductData<'ProductCreated'>;
export type Price = ProductData<'ProductPriceAdded'>;

/** The part of the catalogue that this module evolves. `former`: deleted products, the latest last. */
export type Products = {
  readonly products: readonly Product[];
  readonly prices: readonly Price[];
  readonly former: readonly ProductData<'ProductDeleted'>[];
};
export const noProducts: Products = { products: [], prices: [], former: [] };

/** Finds the product of an app by the store's name of it; undefined for a name that is not in the catalogue. */
export function storeProductOf({ products }: Products, appId: string, storeProductId: string): Product | undefined {
  return products.find((p) => p.appId === appId && p.storeProductId === storeProductId);
}

export function evolveProducts<S extends Products>(state: S, event: ProductEvent): S {
  switch (event.type) {
    case 'ProductCreated':
      return { ...state, products: [...state.products, event.data] };
    case 'ProductDeleted': {
      const isOther = (one: { readonly productId: string }) => one.productId !== event.data.productId;
      const [products, prices] = [state.products.filter(isOther), state.prices.filter(isOther)];
      return { ...state, products, prices, former: [...state.former, event.data] };
    }
    case 'ProductPriceAdded':
      return { ...state, prices: [...state.prices, event.data] };
    case 'ProductPriceDeleted':
      return { ...state, prices: state.prices.filter((p) => p.priceId !== event.data.priceId) };
    default:
      remaining<never>(event);
      return state;
  }
}

export type Charge = { readonly amountMicros: number; readonly currency: string };

/** Returns the product's price in force at the instant. A price of the country precedes one for all countries; then the latest wins. */
export function assumedCharge(
  { prices }: Products,
  o: { readonly productId: string | null; readonly country: string | null; readonly at: string },
): Charge | null {
  const isInForce = (p: Products['prices'][number]) =>
    p.productId === o.productId && (p.country === null || p.country === o.country) && (p.startsAt ?? '') <= o.at;
  const [best] = prices.filter(isInForce).sort((a, b) => {
    if (a.country !== b.country) return a.country === null ? 1 : -1;
    return (b.startsAt ?? '') < (a.startsAt ?? '') ? -1 : 1;
  });
  return best ? { amountMicros: best.amountMicros, currency: best.currency } : null;
}
