// Servers that an installation may use: their names in messages, and their addresses without credentials.
import type { Config } from './config.js';
import { WrongConfiguration } from './wrong-configuration.js';

export const EVENTSTOREDB = 'EventStoreDB';
export const MONGODB = 'MongoDB';
const KURRENTDB = 'KurrentDB';

/** Scheme of KurrentDB; every other URL belongs to EventStoreDB, as it was called until 2025. */
const KURRENT_SCHEME = /^kurrentdb(\+discover)?:/;

/** Returns the name of a log server by the scheme of its URL. */
export function logServerName(url: string): typeof EVENTSTOREDB | typeof KURRENTDB {
  return KURRENT_SCHEME.test(url) ? KURRENTDB : EVENTSTOREDB;
}

export type Server = {
  readonly name: string;
  /** URL without credentials and options. */
  readonly url: string;
};

/** Returns the configured servers; none when all data is in files. */
export function serversOf(config: Pick<Config, 'EVENTSTORE_URL' | 'MONGODB_URL'>): readonly Server[] {
  const urls = [
    [logServerName(config.EVENTSTORE_URL ?? ''), config.EVENTSTORE_URL],
    [MONGODB, config.MONGODB_URL],
  ] as const;
  return urls.flatMap(([name, url]) => (url === undefined ? [] : [{ name, url: withoutCredentials(url) }]));
}

/** Cuts at the last `@`: an unencoded password may contain any character. */
function withoutCredentials(url: string): string {
  return url.replace(/^([\w+]+:\/\/)(?:.*@)?([^?]*).*$/s, '$1$2');
}

/** Creates a driver's client. Throws `WrongConfiguration` for a URL that the driver cannot parse. */
export function createFromUrl<T>(variable: 'EVENTSTORE_URL' | 'MONGODB_URL', make: () => T): T {
  try {
    return make();
  } catch (err) {
    const reason = err instanceof Error ? err.message : String(err);
    // Some reasons repeat the URL, which may contain a password.
    const why = reason.includes('://') ? 'check scheme, host, port and options' : reason;
    throw new WrongConfiguration([`${variable}: is not a connection string that the driver can read: ${why}`]);
  }
}
