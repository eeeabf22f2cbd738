// The servers that the distributed specs run on, named by the environment. Each spec works in a place of its own on them.
import { randomUUID } from 'node:crypto';

export const eventStoreUrl = process.env['TEST_EVENTSTORE_URL'];
export const mongoUrl = process.env['TEST_MONGODB_URL'];
/** Else a service under test keeps all it has in files. */
export const isOnServers = eventStoreUrl !== undefined || mongoUrl !== undefined;

/** The same server with a database of its own. */
export function ownDatabase(url: string, name = `test_${randomUUID().replaceAll('-', '')}`): string {
  const [, server = url, rest = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  return `${server}/${name}${rest}`;
}

/** A part of the server's log that no other spec sees. */
export function ownNamespace(): string {
  return `t${randomUUID().replaceAll('-', '')}.`;
}

/** Says in one line what is not run, so that nobody takes silence for success. */
export function skipped(what: string, variable: string): void {
  describe(what, () => {
    it(`skipped: set ${variable} to run it`, function () {
      this.skip();
    });
  });
}

/** The configuration of a service on the servers, with a log and documents of its own; empty when they are not named. */
export function ownEngine(): Record<string, string> {
  if (eventStoreUrl === undefined || mongoUrl === undefined) return {};
  return {
    EVENTSTORE_URL: eventStoreUrl,
    EVENTSTORE_NAMESPACE: ownNamespace(),
    MONGODB_URL: ownDatabase(mongoUrl),
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    JWT_SECRET: 'a secret that only the tests know of',
  };
}
