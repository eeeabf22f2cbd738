// Opens the android-store, with one outbound client, which may reach the configured addresses even when they are private.
import type { Config } from '../configuration/config.js';
import { createOutbound } from '../outbound/undici.js';
import type { Runtime } from '../runtime.js';
import type { CredentialVerdicts } from '../credential-health.js';
import { createStoreAccessTokens } from './access-tokens.js';
import { createAndroidStoreApi } from './api.js';
import type { AndroidStorePort } from './port.js';
import { createPushTokens } from './push-tokens.js';

/** Store with lifecycle: `prepare` loads in advance what the first push needs. */
export type AndroidStore = AndroidStorePort & { prepare(): Promise<void>; close(): Promise<void> };

type Parts = {
  readonly config: Config;
  readonly runtime: Pick<Runtime, 'now' | 'elapsed'>;
  readonly verdicts: CredentialVerdicts;
};

export function openAndroidStore({ config, runtime, verdicts }: Parts): AndroidStore {
  const { ANDROID_STORE_API_URL: baseUrl, ANDROID_STORE_TOKEN_URL: tokenUrl, ANDROID_STORE_JWKS_URL: jwksUrl } = config;
  const outbound = createOutbound({
    egress: { allowHttp: false, allowCidrs: [] },
    trusted: [baseUrl, tokenUrl, jwksUrl],
  });
  const accessTokens = createStoreAccessTokens({ outbound, tokenUrl, runtime });
  const pushTokens = createPushTokens({ outbound, jwksUrl, runtime });
  return {
    api: createAndroidStoreApi({ outbound, accessTokens, baseUrl, verdicts }),
    pushTokens,
    prepare: pushTokens.prepare,
    close: () => outbound.close(),
  };
}
