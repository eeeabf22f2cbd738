// Fields of a change that are worth reading at once; the raw data contains all.
import type { Schemas } from '../api/client';
import type { ProductNames } from '../names/products';
import { dateTime } from '../parts/format';

type Change = Schemas['Change'];
type Fields = NonNullable<Change['before']>;
/** `from` is null for a field that had no value. */
export type ChangedField = { readonly name: string; readonly from: string | null; readonly to: string };

const MAX_FIELDS = 5;
/** Fields of a new object that tell more than its name. */
const TELLING = [
  'role',
  'url',
  'storeProductId',
  'storeIdentifier',
  'scopes',
  'duration',
  'expiresAt',
  'productId',
  'files',
  'customers',
  'transactions',
  'events',
];
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Returns all changed fields with readable values, or the telling ones of a new object. */
export function changedFields({ before, after, target }: Change, names: ProductNames): readonly ChangedField[] {
  if (after === null) return [];
  const isTelling = (name: string) => before !== null || (TELLING.includes(name) && after[name] !== target.name);
  return Object.keys(after)
    .filter((name) => isTelling(name) && isReadable(after[name]))
    .map((name) => ({ name, from: textOf(before, name, names), to: textOf(after, name, names) ?? 'none' }))
    .slice(0, MAX_FIELDS);
}

function isReadable(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isReadable);
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function textOf(fields: Fields | null, name: string, names: ProductNames): string | null {
  const value = fields?.[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ');
  const text = String(value);
  if (name === 'productId') return names.nameOf({ productId: text, storeProductId: text });
  return TIME.test(text) ? dateTime(text) : text;
}
