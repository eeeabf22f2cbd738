// What the test-store sends: one purchase of a month, signed.
import { createHmac } from 'node:crypto';

export type TestPurchase = {
  readonly id: string;
  readonly app: string;
  readonly product: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly until: string;
  readonly priceMicros: number;
};

export function testNotification(purchase: TestPurchase): { readonly content: string; readonly signature: string } {
  const content = JSON.stringify(purchase);
  return { content, signature: createHmac('sha256', 'test-store').update(content).digest('hex') };
}
