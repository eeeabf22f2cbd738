// Reads app receipts of StoreKit 1: PKCS #7 in DER, as base64. The signature is verified elsewhere, and a receipt only names the transaction
// to request from the store. Reads in linear time, unlike the store's library: a receipt comes from anybody who has a public key.

/** `productId` and `webOrderLineItemId` are null where the receipt does not contain them; `purchasedAt` is ISO 8601, UTC. */
export type ReceiptPurchase = {
  readonly transactionId: string;
  readonly productId: string | null;
  readonly purchasedAt: string;
  readonly webOrderLineItemId: string | null;
};
/** `createdAt`: ISO 8601, UTC; null without one. */
export type AppReceipt = {
  readonly bundleId: string | null;
  readonly createdAt: string | null;
  readonly purchases: readonly ReceiptPurchase[];
};

/** Numbers of the store's page "Receipt fields". */
const BUNDLE_ID = 2;
const CREATED_AT = 12;
const PURCHASE = 17;
const PRODUCT_ID = 1702;
const TRANSACTION_ID = 1703;
const PURCHASED_AT = 1704;
const WEB_ORDER_LINE_ITEM_ID = 1711;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TRANSACTION = /^\d{1,32}$/;
const OCTET_STRING = 0x04;
/** Position of the content inside the signed message: the child at each level. */
const CONTENT_PATH = [0, 1, 0, 2, 1, 0];
/** Bytes of a length or an attribute number that are read; longer ones are not of a receipt. */
const MAX_NUMBER_BYTES = 4;

/** Returns null for anything but a receipt of the store: also for those of Xcode, whose lengths are indefinite. */
export function readAppReceipt(base64: string): AppReceipt | null {
  const text = base64.replace(/\s+/g, '');
  if (!BASE64.test(text)) return null;
  try {
    return readContent(contentOf(Buffer.from(text, 'base64')));
  } catch (err) {
    // Thrown for bytes that are not DER.
    if (!(err instanceof RangeError)) throw err;
    return null;
  }
}

function readContent(content: Buffer): AppReceipt {
  let bundleId: string | null = null;
  let createdAt: string | null = null;
  const purchases: ReceiptPurchase[] = [];
  for (const { type, value } of attributesOf(content)) {
    if (type === BUNDLE_ID) bundleId = textOf(value);
    if (type === CREATED_AT) createdAt = textOf(value);
    const purchase = type === PURCHASE ? readPurchase(value) : null;
    if (purchase) purchases.push(purchase);
  }
  return { bundleId, createdAt, purchases };
}

/** Returns null for a purchase without an ID that the store could give. */
function readPurchase(content: Buffer): ReceiptPurchase | null {
  const fields = new Map([...attributesOf(content)].map(({ type, value }) => [type, value]));
  const text = (type: number) => textOf(fields.get(type) ?? Buffer.alloc(0));
  const transactionId = text(TRANSACTION_ID);
  if (transactionId === null || !TRANSACTION.test(transactionId)) return null;
  const lineItem = fields.get(WEB_ORDER_LINE_ITEM_ID);
  const number = lineItem && firstElement(lineItem).content.toString('hex');
  return {
    transactionId,
    productId: text(PRODUCT_ID),
    purchasedAt: text(PURCHASED_AT) ?? '',
    // 0 for a purchase that is not a subscription.
    webOrderLineItemId: number && /[^0]/.test(number) ? BigInt(`0x${number}`).toString() : null,
  };
}

function textOf(value: Buffer): string | null {
  const text = value.length === 0 ? '' : firstElement(value).content.toString();
  return text === '' ? null : text;
}

function contentOf(der: Buffer): Buffer {
  let within: Element = { tag: 0, content: der };
  for (const index of CONTENT_PATH) within = childAt(within.content, index);
  if (within.tag !== OCTET_STRING) throw new RangeError('the content of a receipt is an octet string');
  return within.content;
}

/** The attributes of a set; each is a sequence of its number, a version and its value. */
function* attributesOf(set: Buffer): Generator<{ readonly type: number; readonly value: Buffer }> {
  for (const { content } of elementsOf(firstElement(set).content)) {
    const type = childAt(content, 0).content;
    if (type.length > MAX_NUMBER_BYTES) continue;
    yield { type: type.readUIntBE(0, type.length), value: childAt(content, 2).content };
  }
}

type Element = { readonly tag: number; readonly content: Buffer };

function firstElement(der: Buffer): Element {
  return childAt(der, 0);
}

function childAt(der: Buffer, index: number): Element {
  let at = 0;
  for (const element of elementsOf(der)) if (at++ === index) return element;
  throw new RangeError('an element is missing');
}

/** Throws `RangeError` where the bytes are not DER. */
function* elementsOf(der: Buffer): Generator<Element> {
  for (let at = 0; at < der.length;) {
    const short = der.readUInt8(at + 1);
    const size = short < 0x80 ? 0 : short & 0x7f;
    if (short === 0x80 || size > MAX_NUMBER_BYTES) throw new RangeError('an indefinite or too large length');
    const begin = at + 2 + size;
    const end = begin + (size === 0 ? short : der.readUIntBE(at + 2, size));
    if (end > der.length) throw new RangeError('an element is cut off');
    yield { tag: der.readUInt8(at), content: der.subarray(begin, end) };
    at = end;
  }
}
