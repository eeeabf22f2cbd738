// Opens the ios-store: verification of signed data, and the API client, which may reach the configured addresses even when they are
// private.
import { createOutbound } from '../outbound/undici.js';
import type { Config } from '../configuration/config.js';
import type { Runtime } from '../runtime.js';
import type { CredentialVerdicts } from '../credential-health.js';
import { createIosStoreApi } from './api.js';
import type { IosStorePort } from './api-port.js';
import { loadRootCertificates } from './root-certificates.js';
import { createIosSignedData } from './signed-data.js';

/** Store with lifecycle: `prepare` loads in advance what the first notification or receipt needs. */
export type IosStore = IosStorePort & { prepare(): Promise<void>; close(): Promise<void> };

type Parts = {
  readonly config: Config;
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>;
  readonly verdicts: CredentialVerdicts;
};

/** Opens the store. Throws `UnusableRootCertificates`. */
export function openIosStore({ config, runtime, verdicts }: Parts): IosStore {
  const urls = { production: config.IOS_STORE_API_URL, sandbox: config.IOS_STORE_SANDBOX_API_URL };
  const trusted = loadRootCertificates(config.IOS_STORE_ROOT_CERTIFICATES);
  const egress = { allowHttp: false, allowCidrs: [] };
  const outbound = createOutbound({ egress, trusted: [urls.production, urls.sandbox] });
  const signedData = createIosSignedData({ ...trusted, onlineChecks: config.IOS_STORE_ONLINE_CHECKS, runtime });
  return {
    api: createIosStoreApi({ outbound, urls, runtime, verdicts }),
    signedData,
    prepare: signedData.prepare,
    close: () => outbound.close(),
  };
}
