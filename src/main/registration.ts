// Default of `REGISTRATION`: open on a local machine, only the first user where others have access.
import type { Config } from '../adapters/configuration/config.js';
import { listensOnLoopback } from './listeners.js';

export type Registration = {
  readonly registration: 'open' | 'first_user_only' | 'closed';
  /** Reason for the log. */
  readonly reason: string;
};

export function registrationOf(
  config: Pick<Config, 'REGISTRATION' | 'HOST' | 'PUBLIC_URL' | 'DASHBOARD_HOST'>,
): Registration {
  const { REGISTRATION, PUBLIC_URL, DASHBOARD_HOST } = config;
  if (REGISTRATION !== undefined) return { registration: REGISTRATION, reason: 'REGISTRATION is set' };
  const isPageOutside = DASHBOARD_HOST !== undefined && !listensOnLoopback({ HOST: DASHBOARD_HOST.host });
  const exposures = [
    ...(listensOnLoopback(config) ? [] : ['HOST is not loopback']),
    ...(PUBLIC_URL === undefined ? [] : ['PUBLIC_URL is set']),
    ...(isPageOutside ? ['DASHBOARD_HOST is not loopback'] : []),
  ];
  if (exposures.length === 0) return { registration: 'open', reason: 'the service listens on loopback only' };
  return { registration: 'first_user_only', reason: exposures.join(', ') };
}
