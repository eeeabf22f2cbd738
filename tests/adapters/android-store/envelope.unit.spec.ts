// Damaged push messages: read as what they are or not at all, and never a fault of ours. `MUTATIONS` sets how many (2000).
import { expect } from 'chai';
import fc from 'fast-check';
import {
  pushBody as bodySchema,
  readPushBody,
  notificationTypeOf,
} from '../../../src/adapters/android-store/envelope.js';
import { aboutProduct, aboutSubscription, pushBody } from '../../../simulator/android-store/payloads.js';
import { mutationRuns } from '../ios-store/jws-mutations.js';

const RUNS = mutationRuns(2000);
const kinds = [
  aboutSubscription('RENEWED', 'token'),
  aboutProduct(1, 'token', 'coins'),
  { voidedPurchaseNotification: { purchaseToken: 'token', orderId: 'GPA.1', productType: 1, refundType: 1 } },
  { pendingRefundReviewNotification: { pendingRefundToken: 'review', orderId: 'GPA.1', refundReason: 7 } },
  { testNotification: { version: '1.0' } },
];
const right = kinds.map((kind) => pushBody({ packageName: 'app', atMs: 1, messageId: 'm', kind }));

/** Null: refused. */
function read(body: unknown): string | null {
  const { success, data } = bodySchema.safeParse(body);
  const message = success ? readPushBody(data) : null;
  return message && notificationTypeOf(message.notification);
}

/** Characters lost, doubled or replaced. */
const damaged = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.nat(8), fc.oneof(fc.string({ unit: 'binary' }), fc.constant('')))
    .map(([at, length, put]) => text.slice(0, at) + put + text.slice(at + length));

/** One field, wherever it lies, holds something else. */
const changed = (notification: string) =>
  fc.tuple(fc.nat(), fc.jsonValue()).map(([at, value]) => {
    let field = 0;
    const fields = [...notification.matchAll(/":/g)].length;
    const replaced: unknown = JSON.parse(notification, (key, current: unknown) =>
      key !== '' && field++ === at % fields ? value : current,
    );
    return JSON.stringify(replaced);
  });

describe(`damaged push messages (${RUNS.numRuns} times, seed ${RUNS.seed})`, () => {
  it('are whole before they are damaged', () => {
    expect(right.map(read)).to.deep.equal([
      'SUBSCRIPTION_RENEWED',
      'ONE_TIME_PRODUCT_PURCHASED',
      'VOIDED_PURCHASE',
      'PENDING_REFUND_REVIEW',
      'TEST',
    ]);
  });

  it('are refused or understood', function () {
    this.timeout(600_000);
    const inData = fc.constantFrom(...right).chain((body) => {
      const { data } = body.message;
      const notification = Buffer.from(data, 'base64').toString();
      const inside = fc.oneof(damaged(notification), changed(notification));
      const packed = inside.map((text) => Buffer.from(text).toString('base64'));
      return fc.oneof(damaged(data), packed).map((text): unknown => {
        return { ...body, message: { ...body.message, data: text } };
      });
    });
    const bodies = fc.oneof({ weight: 4, arbitrary: inData }, fc.jsonValue());
    fc.assert(
      fc.property(bodies, (body) => {
        const type = read(body);
        if (type !== null) expect(type).to.match(/^[A-Z_]+(_-?\d+)?$/);
      }),
      RUNS,
    );
  });
});
