// Notification of the third-store: one signed monthly purchase.
import { createHmac } from 'node:crypto';

export type ThirdPurchase = {
  readonly id: string;
  readonly app: string;
  readonly product: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly until: string;
  readonly priceMicros: number;
};

export function thirdNotification(purchase: ThirdPurchase): { readonly content: string; readonly signature: string } {
  const content = JSON.stringify(purchase);
  return { content, signature: createHmac('sha256', 'third-store').update(content).digest('hex') };
}
