// The ios-store put together: what it signs, and the door through which it is asked, which may reach the configured addresses wherever
// they are.
import { createOutbound } from '../outbound/undici.js';
import type { StoreVerdicts } from '../store-verdicts.js';
import { createIosStoreApi, type IosStoreUrls } from './api.js';
import type { IosStorePort } from './api-port.js';
import type { TrustOptions } from './chain.js';
import { createIosSignedData } from './signed-data.js';

export type IosStore = IosStorePort & { close(): Promise<void> };

export function openIosStore(urls: IosStoreUrls, trust: TrustOptions, verdicts: StoreVerdicts): IosStore {
  const egress = { allowHttp: false, allowCidrs: [] };
  const outbound = createOutbound({ egress, trusted: [urls.production, urls.sandbox] });
  const { now } = trust;
  return {
    api: createIosStoreApi({ outbound, urls, runtime: { now }, verdicts }),
    signedData: createIosSignedData(trust),
    close: () => outbound.close(),
  };
}
