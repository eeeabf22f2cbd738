// Opens the client of RevenueCat's REST APIs for commands, with an outbound client of its own.
import type { Config } from '../configuration/config.js';
import { createOutbound } from '../outbound/undici.js';
import type { Runtime } from '../runtime.js';
import { createRevenueCatRequests, type RevenueCatRequests } from './requests.js';

export type RevenueCat = {
  readonly requests: RevenueCatRequests;
  /** Project of API v2; null: only API v1 can be used. */
  readonly projectId: string | null;
  close(): Promise<void>;
};

/** Returns null without `REVENUECAT_API_KEY`. */
export function openRevenueCat(
  config: Pick<Config, 'REVENUECAT_API_KEY' | 'REVENUECAT_PROJECT_ID' | 'REVENUECAT_API_URL'>,
  runtime: Runtime,
): RevenueCat | null {
  const { REVENUECAT_API_KEY: apiKey, REVENUECAT_PROJECT_ID: projectId = null, REVENUECAT_API_URL: baseUrl } = config;
  if (apiKey === undefined) return null;
  const outbound = createOutbound({ egress: { allowHttp: false, allowCidrs: [] }, trusted: [baseUrl] });
  const requests = createRevenueCatRequests({ baseUrl, apiKey, outbound, runtime });
  return { requests, projectId, close: () => outbound.close() };
}
