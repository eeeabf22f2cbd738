// The changes in an `…Updated` event: both values of each changed field, and only the new value of a large document.
import { z } from 'zod';
import { jsonObject } from './values/json-object.js';

export const changeOf = <T extends z.ZodType>(value: T) => z.strictObject({ from: value, to: value }).optional();
export const documentChange = z.strictObject({ to: jsonObject }).optional();

export type Change<T> = { readonly from: T; readonly to: T };

/** Returns undefined when `to` is undefined or equals `from`. */
export function change<T>(from: T, to: T | undefined): Change<T> | undefined {
  return to === undefined || to === from ? undefined : { from, to };
}

/** Returns the object with the changes applied. */
export function withChanges<T extends object>(
  before: T,
  changes: { readonly [K in keyof T]?: Change<T[K]> | undefined },
): T {
  const fields = Object.entries<Change<unknown> | undefined>(changes);
  return { ...before, ...Object.fromEntries(fields.flatMap(([name, c]) => (c ? [[name, c.to]] : []))) };
}
