// Sales that only a report of a store has, as its integration looks them up.
import type { SuspectedPurchase } from '../../domain/books/look-ups.js';

/** Orders of one app. `storeProductId`: as the report has it. */
export type ReportedOrders = {
  readonly projectId: string;
  readonly appId: string;
  readonly month: string;
  readonly reportId: string;
  readonly orders: readonly { readonly orderId: string; readonly storeProductId: string | null }[];
};

/** Groups of sales of one app, by name, and recorded purchases that may have more than is recorded. */
export type ReportedGroups = Omit<ReportedOrders, 'orders'> & {
  readonly groupIds: readonly string[];
  readonly purchases: readonly SuspectedPurchase[];
};
