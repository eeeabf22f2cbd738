// The device behind a request, by the headers that every SDK sends.
import type { Device } from '../../domain/subscriber/state/activity.js';
import { countryOfCode } from '../../commands/stores/country-codes.js';
import { text } from '../../domain/values/user-text.js';
import { platform } from '../bodies/request-schemas.js';
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
