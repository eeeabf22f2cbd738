// Key for requests to the ios-store about an app: its registration and its use.
import { z } from 'zod';
import type { IosApp, IosKey, IosEnvironment } from '../../../adapters/ios-store/port.js';
import { NoCredentials } from '../../../domain/errors.js';
import type { App } from '../../../domain/project/events.js';
import type { Deps } from '../../handling/deps.js';
import { fingerprintOf, parseUsableKey } from '../../projects/credential-keys.js';
import { openCredentials, type Terms } from '../../projects/credentials.js';

const FIELD = 'privateKey';
export const storeId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the id that the store shows next to the key');

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
  check: (input: unknown) => {
    const { privateKey: secret, ...terms } = body.parse(input);
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

/** Opens the app's key for requests to the store. Throws {@link NoCredentials}, also for a key that is only for the other environment. */
export async function openIosApp(
  deps: Deps,
  { projectId, app }: { readonly projectId: string; readonly app: App },
  environment?: IosEnvironment,
): Promise<IosApp & { readonly key: IosCredentials }> {
  const { appId, storeIdentifier: bundleId } = app;
  const opened = await openCredentials(deps, { projectId, appId }, FIELD);
  const terms = opened && knownTerms.parse(opened.terms);
  const environments = terms ? ENVIRONMENTS[terms.environment] : [];
  if (!terms || (environment && !environments.some((one) => one === environment)))
    throw new NoCredentials(appId, 'ios-store');
  const { keyId, issuerId } = terms;
  return { appId, bundleId, key: { keyId, issuerId, environments, privateKey: opened.secret } };
}
