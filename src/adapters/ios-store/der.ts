// Reads DER in linear time, without recursion and without copies: whoever has a public key may send megabytes of it.

/** Positions of an element: `at` of its tag, its content from `begin` up to `end`. */
export type Element = { readonly tag: number; readonly at: number; readonly begin: number; readonly end: number };
type Range = Pick<Element, 'begin' | 'end'>;

/** Bytes of a length that are read; longer ones are not of a receipt. */
const MAX_LENGTH_BYTES = 4;

/** Reads the element at a position inside another. Throws `RangeError` where the bytes are not DER. */
export function elementAt(der: Buffer, at: number, within: Range): Element {
  const short = der.readUInt8(at + 1);
  const size = short < 0x80 ? 0 : short & 0x7f;
  if (short === 0x80 || size > MAX_LENGTH_BYTES) throw new RangeError('an indefinite or too large length');
  const begin = at + 2 + size;
  const end = begin + (size === 0 ? short : der.readUIntBE(at + 2, size));
  if (end > within.end) throw new RangeError('an element is cut off');
  return { tag: der.readUInt8(at), at, begin, end };
}

/** Returns the child with an index. Throws `RangeError` without one, and where the bytes are not DER. */
export function childAt(der: Buffer, within: Range, index = 0): Element {
  let child = elementAt(der, within.begin, within);
  for (let passed = 0; passed < index; passed++) child = elementAt(der, child.end, within);
  return child;
}

/** Returns all children. Throws `RangeError` if there are more than `max`, and where the bytes are not DER. */
export function childrenOf(der: Buffer, within: Range, max: number): Element[] {
  const children: Element[] = [];
  for (let at = within.begin; at < within.end; at = children.at(-1)?.end ?? within.end) {
    if (children.length === max) throw new RangeError('too many elements');
    children.push(elementAt(der, at, within));
  }
  return children;
}

/** Follows the indexes of children, from the whole on. Throws `RangeError` as {@link childAt} does. */
export function descend(der: Buffer, indexes: readonly number[]): Element {
  return indexes.reduce((within: Element, index) => childAt(der, within, index), {
    tag: 0,
    at: 0,
    begin: 0,
    end: der.length,
  });
}

export function contentOf(der: Buffer, { begin, end }: Range): Buffer {
  return der.subarray(begin, end);
}
