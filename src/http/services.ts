// What handlers may use; made by the composition root.
import type { Logger } from 'pino';
import type { IosSignedData } from '../adapters/ios-store/port.js';
import type { Runtime } from '../adapters/runtime.js';
import type { Auth } from '../commands/auth.js';
import type { Deps } from '../commands/deps.js';
import type { Progress } from '../projections/progress.js';
import type { Views } from '../projections/views.js';
import type { Egress } from './forwarding-url.js';
import type { Refusals } from './refusals.js';
import type { ViewCache } from './view-cache.js';

export type Session = { readonly userId: string; readonly sessionId: string };

export type AccessTokens = {
  /** The session of a token that is genuine, unexpired and not revoked; null for any other text. */
  verify(token: string): Promise<Session | null>;
};

export type Services = {
  readonly deps: Deps;
  readonly runtime: Runtime;
  readonly log: Logger;
  readonly views: Views;
  readonly cached: ViewCache;
  readonly progress: Progress;
  readonly accessTokens: AccessTokens;
  readonly auth: Auth;
  readonly iosSignedData: IosSignedData;
  readonly egress: Egress;
  readonly refusals: Refusals;
  /** Base of addresses shown to people, without a slash at the end. */
  readonly publicUrl: () => string;
};
