// The rules of products: a store product ID is unique in an app, an attached product is deleted only with `force`, and a price is unique
// for its currency, country and start.
import { Rejection } from '../errors.js';
import { detachFromEntitlements, type EntitlementEvent, type Entitlements } from './entitlements.js';
import { detachFromPackages, type OfferingEvent, type Offerings } from './offerings.js';
import {
  productEvents as e,
  storeProductOf,
  type Price,
  type Product,
  type ProductEvent,
  type Products,
} from './products.js';

export type ProductCommand =
  | { readonly kind: 'createProduct'; readonly product: Product }
  | { readonly kind: 'deleteProduct'; readonly productId: string; readonly force: boolean }
  /** Deletes the products of a deleted app; `[]` when there are none. */
  | { readonly kind: 'deleteProductsOfApp'; readonly appId: string }
  | { readonly kind: 'addPrice'; readonly price: Price }
  | { readonly kind: 'deletePrice'; readonly productId: string; readonly priceId: string };

export const MAX_PRICES = 500;

type State = Products & Entitlements & Offerings;
type ProductChange = ProductEvent | EntitlementEvent | OfferingEvent;

export function decideProduct(c: ProductCommand, state: State): ProductChange[] {
  switch (c.kind) {
    case 'createProduct': {
      const { product } = c;
      if (state.products.some((p) => p.productId === product.productId)) return [];
      if (storeProductOf(state, product.appId, product.storeProductId)) {
        throw new Rejection('conflict', 'product-exists', 'storeProductId is taken in this app; use another');
      }
      return [e.ProductCreated.of(product)];
    }
    case 'deleteProduct':
      return deleteProduct(requireProduct(state, c.productId), c.force, state);
    case 'deleteProductsOfApp':
      return state.products.filter((p) => p.appId === c.appId).flatMap((p) => deleteProduct(p, true, state));
    case 'addPrice':
      return addPrice(c.price, state);
    case 'deletePrice': {
      const { productId, priceId } = c;
      requireProduct(state, productId);
      if (!state.prices.some((p) => p.productId === productId && p.priceId === priceId)) {
        throw new Rejection('missing', 'price-unknown', 'price not found for this product');
      }
      return [e.ProductPriceDeleted.of({ productId, priceId })];
    }
  }
}

/** Detaches the product from entitlements and packages in the same append, so that none of them names a deleted product. */
function deleteProduct(product: Product, force: boolean, state: State): ProductChange[] {
  const detached = [...detachFromEntitlements(state, product), ...detachFromPackages(state, product)];
  if (detached.length > 0 && !force) {
    const message =
      'the product is attached to an entitlement or a package; detach it first, or delete with ?force=true';
    throw new Rejection('conflict', 'product-attached', message);
  }
  const { productId, appId, storeProductId } = product;
  return [...detached, e.ProductDeleted.of({ productId, appId, storeProductId })];
}

function addPrice(price: Price, state: State): ProductEvent[] {
  requireProduct(state, price.productId);
  const ofProduct = state.prices.filter((p) => p.productId === price.productId);
  if (ofProduct.some((p) => p.priceId === price.priceId)) return [];
  const { currency, country, startsAt } = price;
  if (ofProduct.some((p) => p.currency === currency && p.country === country && p.startsAt === startsAt)) {
    const message = 'the product already has a price with this currency, country and startsAt; delete that price first';
    throw new Rejection('conflict', 'price-exists', message);
  }
  if (ofProduct.length >= MAX_PRICES) {
    throw new Rejection(
      'conflict',
      'too-many-prices',
      `a product can have at most ${MAX_PRICES} prices; delete one first`,
    );
  }
  return [e.ProductPriceAdded.of(price)];
}

function requireProduct({ products }: Products, productId: string): Product {
  const product = products.find((p) => p.productId === productId);
  if (!product) throw new Rejection('missing', 'product-unknown', 'product not found in this project');
  return product;
}
