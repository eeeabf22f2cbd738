// What handlers may use; made by the composition root.
import type { Logger } from 'pino';
import type { AccessTokens } from '../adapters/access-tokens.js';
import type { IosSignedData } from '../adapters/ios-store/port.js';
import type { Runtime } from '../adapters/runtime.js';
import type { Auth } from '../commands/auth.js';
import type { Deps } from '../commands/deps.js';
import type { Progress } from '../projections/progress.js';
import type { Views } from '../projections/views.js';
import type { Egress } from './forwarding-url.js';
import type { Refusals } from './refusals.js';
import type { ViewCache } from './view-cache.js';

export type Services = {
  readonly deps: Deps;
  readonly runtime: Runtime;
  readonly log: Logger;
  readonly views: Views;
  readonly cached: ViewCache;
  readonly progress: Progress;
  readonly accessTokens: Pick<AccessTokens, 'verify'>;
  readonly auth: Auth;
  readonly iosSignedData: IosSignedData;
  readonly egress: Egress;
  readonly refusals: Refusals;
  /** Base of addresses shown to people, without a slash at the end. */
  readonly publicUrl: () => string;
};
