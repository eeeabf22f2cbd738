// Key for requests to the ios-store about an app: its registration and its use.
import { z } from 'zod';
import type { IosKey } from '../../../adapters/ios-store/api-port.js';
import type { IosEnvironment } from '../../../adapters/ios-store/port.js';
import type { Deps } from '../../handling/deps.js';
import type { AppRef } from '../../projects/app-secrets.js';
import { fingerprintOf, parseUsableKey } from '../../projects/credential-keys.js';
import { openCredentials, type Terms } from '../../projects/credentials.js';

const FIELD = 'privateKey';
const storeId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the id that the store shows next to the key');

const body = z.strictObject({
  issuerId: storeId,
  keyId: storeId,
  privateKey: z.string().min(1).max(10_000),
  storeAppId: z.int().positive().nullable().default(null),
  environment: z.enum(['production', 'sandbox', 'both']).default('both'),
});

export const iosCredentials = {
  summary: 'Register iOS store credentials',
  body,
  response: { keyId: z.string().nullable() },
  /** Checks an elliptic-curve key (P-256) in PEM, as issued by the store. */
  check: (given: unknown) => {
    const { privateKey: secret, ...terms } = body.parse(given);
    return { secret, fingerprint: fingerprintOf(parseUsableKey('ES256', secret, FIELD)), field: FIELD, terms };
  },
  show: ({ keyId = null }: Terms) => ({ keyId }),
};

const knownTerms = z.object({
  keyId: z.string(),
  issuerId: z.string(),
  environment: z.enum(['production', 'sandbox', 'both']).default('both'),
});

/** `environments`: those in which the app may be queried. */
type IosCredentials = IosKey & { readonly environments: readonly IosEnvironment[] };
const ENVIRONMENTS = { production: ['Production'], sandbox: ['Sandbox'], both: ['Production', 'Sandbox'] } as const;

/** Returns null if there is none. */
export async function openIosKey(deps: Deps, app: AppRef): Promise<IosCredentials | null> {
  const opened = await openCredentials(deps, app, FIELD);
  if (!opened) return null;
  const { keyId, issuerId, environment } = knownTerms.parse(opened.terms);
  return { keyId, issuerId, environments: ENVIRONMENTS[environment], privateKey: opened.secret };
}
