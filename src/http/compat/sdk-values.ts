// Values that the SDKs send about a customer. The device, by the headers of every request, and the store that its purchases are from.
// Attributes, with the time of each change; reserved names that this service does not have are accepted and ignored.
import { z } from 'zod';
import { countryOfCode } from '../../commands/stores/country-codes.js';
import { storeOfPlatform, type StoreKind } from '../../domain/store-kinds.js';
import type { AttributeChange } from '../../domain/subscriber/decide/commands.js';
import type { Device } from '../../domain/subscriber/state/activity.js';
import { MAX_VERSION_LENGTH } from '../../domain/values/app-version.js';
import { text } from '../../domain/values/user-text.js';
import { platform } from '../bodies/request-schemas.js';
import type { Input } from '../dispatch/route.js';
import { attributeChanges, attributesSchema, MAX_ATTRIBUTES } from '../subscribers/attributes.js';

/** Name of Mac Catalyst in `X-Platform`. */
const CATALYST = 'uikitformac';

function platformOf({ header }: Pick<Input<never, never, never>, 'header'>): string {
  const sent = header('x-platform')?.toLowerCase() ?? '';
  return sent === CATALYST ? 'macos' : sent;
}

/** Values of other forms count as unknown. `X-Storefront`: alpha-3 on iOS, alpha-2 on Android. */
export function deviceOf(input: Pick<Input<never, never, never>, 'header'>): Device {
  const { header } = input;
  return {
    platform: platform.safeParse(platformOf(input)).data ?? null,
    appVersion: text(MAX_VERSION_LENGTH).safeParse(header('x-client-version')).data ?? null,
    country: countryOfCode((header('x-storefront') ?? '').toUpperCase()),
  };
}

const STORES: ReadonlyMap<string, StoreKind | null> = new Map([
  ...['ios', 'macos', 'tvos', 'watchos', 'visionos'].map((name) => [name, storeOfPlatform('ios')] as const),
  ['android', storeOfPlatform('android')] as const,
  ...['amazon', 'galaxy', 'roku', 'paddle', 'stripe'].map((name) => [name, null] as const),
]);

/**
 * Returns the store of a receipt by `X-Platform`, which is what an SDK, or a server, says where it bought: null for a store that this service
 * does not have, undefined if the header says nothing about it.
 */
export function storeOfReceipt(input: Pick<Input<never, never, never>, 'header'>): StoreKind | null | undefined {
  return STORES.get(platformOf(input));
}

/** A list, of which no more than the first that is too many is read: each item costs time, and a body could have hundreds of thousands. */
export function fewOf<T extends z.ZodType>(item: T, max: number) {
  return z.preprocess((sent) => (Array.isArray(sent) ? sent.slice(0, max + 1) : sent), z.array(item).max(max));
}

const sentAttribute = z.looseObject({ value: z.string().nullish(), updated_at_ms: z.number().nullish() });
/** Drops attributes after the first that is too many: each costs time, and a body could have tens of thousands. */
const cutAttributes = (sent: unknown) =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    ? Object.fromEntries(Object.entries(sent).slice(0, MAX_ATTRIBUTES + 1))
    : undefined;
/** Each attribute is checked by itself, in {@link readAttributes}. */
export const sentAttributes = z
  .preprocess(cutAttributes, z.record(z.string(), z.unknown()).optional().catch(undefined))
  .optional();

export type AttributeError = { readonly key_name: string; readonly message: string };
type ReadAttributes = {
  readonly changes: readonly AttributeChange[];
  readonly errors: readonly AttributeError[];
};

/** Valid attributes are set even if others of the same request are not; of too many, none is. */
export function readAttributes(attributes: z.output<typeof sentAttributes>, nowMs: number): ReadAttributes {
  const changes: AttributeChange[] = [];
  const errors: AttributeError[] = [];
  const all = Object.entries(attributes ?? {});
  if (all.length > MAX_ATTRIBUTES) {
    const message = `at most ${MAX_ATTRIBUTES} attributes at a time`;
    return { changes, errors: [attributeError(all[MAX_ATTRIBUTES]?.[0] ?? '', message)] };
  }
  for (const [key, attribute] of all) {
    const sent = sentAttribute.safeParse(attribute);
    const { value = null, updated_at_ms: ms } = sent.data ?? {};
    const updatedAtMs = Math.min(Math.max(0, Math.trunc(ms ?? nowMs)), nowMs);
    const one = sent.success ? attributesSchema.safeParse({ [key]: { value, updatedAtMs } }) : sent;
    if (one.success) changes.push(...attributeChanges({ [key]: { value, updatedAtMs } }, nowMs));
    else if (!key.startsWith('$')) errors.push(attributeError(key, one.error.issues[0]?.message ?? 'is invalid'));
  }
  return { changes, errors };
}

const MAX_SHOWN_KEY = 100;

function attributeError(key: string, message: string): AttributeError {
  return { key_name: key.slice(0, MAX_SHOWN_KEY), message };
}

/** Empty unless there are errors. */
export function attributeErrors(errors: readonly AttributeError[]) {
  return errors.length === 0 ? {} : { attribute_errors: errors };
}
