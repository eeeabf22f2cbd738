// Reads app receipts of StoreKit 1: PKCS #7 in DER, as base64. The signature is verified elsewhere, and a receipt only names the transaction
// to request from the store. Reads in linear time, unlike the store's library: a receipt comes from anybody who has a public key.
import { childAt, contentOf, descend, elementAt, type Element } from './der.js';

/**
 * `productId` and `webOrderLineItemId` are null where the receipt does not contain them; `purchasedAt` is ISO 8601, UTC. `originalTransactionId`:
 * of the first purchase of the chain; the purchase's own ID where the receipt does not contain one.
 */
export type ReceiptPurchase = {
  readonly transactionId: string;
  readonly originalTransactionId: string;
  readonly productId: string | null;
  readonly purchasedAt: string;
  readonly webOrderLineItemId: string | null;
};
/**
 * `createdAt`, `originalPurchaseDate` (first download of the app): ISO 8601, UTC; null without one. `receiptType`: the environment, by the
 * store's words for it.
 */
export type AppReceipt = {
  readonly receiptType: string | null;
  readonly originalPurchaseDate: string | null;
  readonly originalApplicationVersion: string | null;
  readonly bundleId: string | null;
  readonly createdAt: string | null;
  readonly purchases: readonly ReceiptPurchase[];
};

/** Numbers of the store's page "Receipt fields". */
const RECEIPT_TYPE = 0;
const BUNDLE_ID = 2;
const CREATED_AT = 12;
const PURCHASE = 17;
const ORIGINAL_PURCHASE_DATE = 18;
const ORIGINAL_VERSION = 19;
const PRODUCT_ID = 1702;
const TRANSACTION_ID = 1703;
const PURCHASED_AT = 1704;
const ORIGINAL_TRANSACTION_ID = 1705;
const WEB_ORDER_LINE_ITEM_ID = 1711;

const TEXTS: ReadonlySet<number> = new Set([
  ...[RECEIPT_TYPE, BUNDLE_ID, CREATED_AT],
  ...[ORIGINAL_PURCHASE_DATE, ORIGINAL_VERSION],
]);

const PADDING = /={1,2}$/;
/** Lines are allowed, as the decoder allows them. It is searched for: matching the whole of a long text may exceed the stack of the engine. */
const NOT_BASE64 = /[^A-Za-z0-9+/\s]/;
const TRANSACTION = /^\d{1,32}$/;
const OCTET_STRING = 0x04;
/** Position of the content inside the signed message: the child at each level. */
const CONTENT_PATH = [0, 1, 0, 2, 1, 0];
/** Bytes of an attribute number and of a line item's number that are read; longer ones are not of a receipt. */
const MAX_TYPE_BYTES = 4;
const MAX_LINE_ITEM_BYTES = 16;
/** Maximum number of attributes, with those of all purchases. A receipt with ten thousand purchases has about 200,000. */
const MAX_ATTRIBUTES = 300_000;

/** Returns null for anything but a receipt of the store: also for those of Xcode, whose lengths are indefinite. */
export function readAppReceipt(base64: string): AppReceipt | null {
  const text = base64.trimEnd().replace(PADDING, '');
  if (text === '' || NOT_BASE64.test(text)) return null;
  try {
    return readContent(Buffer.from(base64, 'base64'));
  } catch (err) {
    // Thrown for bytes that are not DER.
    if (!(err instanceof RangeError)) throw err;
    return null;
  }
}

function readContent(der: Buffer): AppReceipt {
  const content = descend(der, CONTENT_PATH);
  if (content.tag !== OCTET_STRING) throw new RangeError('the content of a receipt is an octet string');
  const texts = new Map<number, string | null>();
  const purchases: ReceiptPurchase[] = [];
  const budget = { left: MAX_ATTRIBUTES };
  readAttributes(der, content, budget, (type, value) => {
    if (TEXTS.has(type)) texts.set(type, textOf(der, value));
    const purchase = type === PURCHASE && !isEmpty(value) ? readPurchase(der, value, budget) : null;
    if (purchase) purchases.push(purchase);
  });
  const text = (type: number) => texts.get(type) ?? null;
  return {
    receiptType: text(RECEIPT_TYPE),
    originalPurchaseDate: text(ORIGINAL_PURCHASE_DATE),
    originalApplicationVersion: text(ORIGINAL_VERSION),
    bundleId: text(BUNDLE_ID),
    createdAt: text(CREATED_AT),
    purchases,
  };
}

/** Number of attributes that may still be read. */
type Budget = { left: number };

/** Returns null for a purchase without an ID that the store could give. */
function readPurchase(der: Buffer, content: Element, budget: Budget): ReceiptPurchase | null {
  const fields = new Map<number, Element>();
  readAttributes(der, content, budget, (type, value) => void fields.set(type, value));
  const text = (type: number) => textOf(der, fields.get(type));
  const transactionId = text(TRANSACTION_ID);
  if (transactionId === null || !TRANSACTION.test(transactionId)) return null;
  const originalId = text(ORIGINAL_TRANSACTION_ID);
  return {
    transactionId,
    originalTransactionId: originalId !== null && TRANSACTION.test(originalId) ? originalId : transactionId,
    productId: text(PRODUCT_ID),
    purchasedAt: text(PURCHASED_AT) ?? '',
    webOrderLineItemId: lineItemOf(der, fields.get(WEB_ORDER_LINE_ITEM_ID)),
  };
}

/** Returns null for 0 and for an empty field too, those of a purchase that is not a subscription. */
function lineItemOf(der: Buffer, value: Element | undefined): string | null {
  if (!value || isEmpty(value)) return null;
  const number = contentOf(der, childAt(der, value));
  // Writing a number of a megabyte in decimal takes seconds.
  if (number.length > MAX_LINE_ITEM_BYTES || number.every((byte) => byte === 0)) return null;
  return BigInt(`0x${number.toString('hex')}`).toString();
}

const isEmpty = ({ begin, end }: Element) => begin === end;

/** Returns null without a text, and for an empty one. */
function textOf(der: Buffer, value: Element | undefined): string | null {
  if (!value || isEmpty(value)) return null;
  const { begin, end } = childAt(der, value);
  return begin === end ? null : der.toString('utf8', begin, end);
}

/** Reads the attributes of a set; each is a sequence of its number, a version and its value. */
function readAttributes(
  der: Buffer,
  content: Element,
  budget: Budget,
  read: (type: number, value: Element) => void,
): void {
  const set = childAt(der, content);
  for (let at = set.begin; at < set.end;) {
    if (budget.left-- === 0) throw new RangeError('too many attributes');
    const attribute = elementAt(der, at, set);
    at = attribute.end;
    const number = childAt(der, attribute);
    const size = number.end - number.begin;
    if (size > MAX_TYPE_BYTES) continue;
    read(der.readUIntBE(number.begin, size), childAt(der, attribute, 2));
  }
}
