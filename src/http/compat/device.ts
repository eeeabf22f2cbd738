// The device behind a request, by the headers that every SDK sends, and the store that its purchases are from.
import type { Device } from '../../domain/subscriber/state/activity.js';
import { countryOfCode } from '../../commands/stores/country-codes.js';
import { text } from '../../domain/values/user-text.js';
import { platform } from '../bodies/request-schemas.js';
import { storeOfPlatform, type StoreKind } from '../../domain/store-kinds.js';
import type { Input } from '../dispatch/route.js';

const MAX_VERSION = 50;

/** Values of other forms count as unknown. `X-Storefront`: alpha-3 on iOS, alpha-2 on Android. */
export function deviceOf({ header }: Pick<Input<never, never, never>, 'header'>): Device {
  return {
    platform: platform.safeParse(header('x-platform')?.toLowerCase()).data ?? null,
    appVersion: text(MAX_VERSION).safeParse(header('x-client-version')).data ?? null,
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
export function storeOfReceipt({ header }: Pick<Input<never, never, never>, 'header'>): StoreKind | null | undefined {
  return STORES.get(header('x-platform')?.toLowerCase() ?? '');
}
