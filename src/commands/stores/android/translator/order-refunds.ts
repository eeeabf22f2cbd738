// Refunds of the android-store as store commands: a row of its list of voided purchases names an order, and the order shows the amounts that
// were given back. Pure. Fields: Play Developer API v3, resources "VoidedPurchase" and "Order".
import type { AndroidOrder, AndroidVoidedPurchase } from '../../../../adapters/android-store/port.js';
import type { Charge } from '../../../../domain/catalog/products.js';
import type { App } from '../../../../domain/project/events.js';
import type { RecordRefund } from '../../../../domain/subscriber/decide/store-commands.js';
import { isoFromMs, msFromIso } from '../../../../domain/time.js';
import { chargeOf } from './money.js';
import { bareNameOf } from './subscription-reading.js';

/** Part of a purchase that was paid with the order: the purchase itself or an add-on. */
export type OrderItem = {
  readonly storeChainId: string;
  readonly transactionId: string;
  /** Null if unknown. */
  readonly storeProductId: string | null;
  readonly quantity: number;
  /** True if the store shows that it ended. */
  readonly isOver: boolean;
};

type RefundSource = { readonly storeTime: string; readonly app: App };
type Refund = RecordRefund['refund'];

/** Returns the refunds of a voided purchase: of all its items, or of those that the store ended alone. */
export function refundCommands(
  v: AndroidVoidedPurchase,
  order: AndroidOrder | undefined,
  items: readonly OrderItem[],
  { storeTime, app }: RefundSource,
): readonly RecordRefund[] {
  const amount = refundedAmount(order);
  const over = items.filter(({ isOver }) => isOver);
  const isPart = over.length > 0 && over.length < items.length && !isRefundedWhole(order);
  const [equal] = isPart || amount === null ? [] : items.filter((item) => isPriceOf(item, amount, order));
  const isAlone = items.length > 1 && over.length === 0 && equal !== undefined;
  return (isPart ? over : isAlone ? [equal] : items).map((item, _, refunded) => {
    const partial = amount === null ? null : sharedRefund(amount, order, refunded, items);
    const { storeChainId, transactionId } = item;
    const refund = refundOfRow(v, item, { partial, hasEnded: items.length === 1 || item.isOver });
    const refundedAt = isoFromMs(v.voidedTimeMillis);
    return {
      kind: 'recordRefund',
      storeChainId,
      storeTime,
      transactionId,
      refundedAt,
      refund,
      policy: app.refundPolicy,
    };
  });
}

/** A refund of a part of the quantity, or of an amount for an item that goes on, keeps the access. */
function refundOfRow(
  { voidedQuantity }: AndroidVoidedPurchase,
  { quantity }: OrderItem,
  { partial, hasEnded }: { readonly partial: Omit<Refund, 'kind'> | null; readonly hasEnded: boolean },
): Refund {
  const ofQuantity = voidedQuantity !== undefined && voidedQuantity < quantity ? voidedQuantity / quantity : null;
  if (partial) return { kind: ofQuantity !== null || !hasEnded ? 'partial_quantity' : 'prorated', ...partial };
  return ofQuantity === null ? { kind: 'full', share: 1 } : { kind: 'partial_quantity', share: ofQuantity };
}

/** Returns the share that each refunded item has of an amount. */
function sharedRefund(
  amount: Charge,
  order: AndroidOrder | undefined,
  refunded: readonly OrderItem[],
  all: readonly OrderItem[],
): Omit<Refund, 'kind'> | null {
  // The recorded charge of a single item counts; it may be known although the order shows no price.
  if (all.length === 1) return { share: shareOf(amount, order?.total) ?? 1, isTotal: true, amount };
  const prices = refunded.map((item) => priceOf(item, order));
  const sum = prices.reduce<number | null>((s, price) => (s === null || price === null ? null : s + price), 0);
  const whole = sum ?? (refunded.length === all.length && order?.total ? chargeOf(order.total).amountMicros : 0);
  return whole > 0 ? { share: Math.min(1, amount.amountMicros / whole), isTotal: true } : null;
}

function shareOf(amount: Charge, total: AndroidOrder['total']): number | null {
  const whole = total === undefined ? 0 : chargeOf(total).amountMicros;
  return whole > 0 ? Math.min(1, amount.amountMicros / whole) : null;
}

function isPriceOf(item: OrderItem, { amountMicros }: Charge, order: AndroidOrder | undefined): boolean {
  return priceOf(item, order) === amountMicros;
}

function priceOf({ storeProductId }: OrderItem, order: AndroidOrder | undefined): number | null {
  const name = bareNameOf(storeProductId ?? '');
  const { total } = order?.lineItems.find(({ productId }) => productId === name) ?? {};
  return total === undefined ? null : chargeOf(total).amountMicros;
}

function isRefundedWhole(order: AndroidOrder | undefined): boolean {
  return order?.state === 'REFUNDED' || order?.orderHistory?.refundEvent !== undefined;
}

/** Returns the time of the latest refund of an order, UTC ms; undefined if it shows none. */
export function refundTimeOf({ orderHistory }: AndroidOrder): number | undefined {
  const { refundEvent, partialRefundEvents = [] } = orderHistory ?? {};
  const times = partialRefundEvents.map(({ processTime, createTime }) => processTime ?? createTime);
  return [refundEvent?.eventTime, ...times]
    .filter((time) => time !== undefined)
    .map(msFromIso)
    .toSorted((a, b) => a - b)
    .at(-1);
}

/** Returns the sum of all partial refunds; null without one, and for an order that was refunded as a whole. */
function refundedAmount(order: AndroidOrder | undefined): Charge | null {
  if (!order || isRefundedWhole(order)) return null;
  const totals = (order.orderHistory?.partialRefundEvents ?? []).flatMap(
    ({ refundDetails }) => refundDetails?.total ?? [],
  );
  const amounts = totals.map(chargeOf);
  const [first] = amounts;
  if (!first) return null;
  const same = amounts.filter(({ currency }) => currency === first.currency);
  return { currency: first.currency, amountMicros: same.reduce((sum, { amountMicros }) => sum + amountMicros, 0) };
}
