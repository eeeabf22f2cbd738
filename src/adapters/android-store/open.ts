// The android-store put together: one door outside for all of it, which may reach the configured addresses wherever they are.
import { createOutbound } from '../outbound/undici.js';
import type { Runtime } from '../runtime.js';
import type { StoreVerdicts } from '../store-verdicts.js';
import { createStoreAccessTokens } from './access-tokens.js';
import { createAndroidStoreApi } from './api.js';
import type { AndroidStorePort } from './port.js';
import { createPushTokens } from './push-tokens.js';

export type AndroidStore = AndroidStorePort & { close(): Promise<void> };

export function openAndroidStore(
  urls: { readonly apiUrl: string; readonly tokenUrl: string; readonly jwksUrl: string },
  runtime: Pick<Runtime, 'now' | 'elapsed'>,
  verdicts: StoreVerdicts,
): AndroidStore {
  const { apiUrl: baseUrl, tokenUrl, jwksUrl } = urls;
  const outbound = createOutbound({
    egress: { allowHttp: false, allowCidrs: [] },
    trusted: [baseUrl, tokenUrl, jwksUrl],
  });
  const accessTokens = createStoreAccessTokens({ outbound, tokenUrl, runtime });
  return {
    api: createAndroidStoreApi({ outbound, accessTokens, baseUrl, verdicts }),
    pushTokens: createPushTokens({ outbound, jwksUrl, runtime }),
    close: () => outbound.close(),
  };
}
