// Password hashing by bcrypt in one worker thread, so that many concurrent logins do not block other requests.
import { RetryLater, Unavailable } from '../../domain/errors.js';
import { startThread, createThreadClient } from '../threads.js';
import type { Passwords } from './port.js';
import type { PasswordResult, PasswordJob } from './thread.js';

/** Maximum queued jobs, about five seconds of work at the default cost: further ones are refused immediately instead of waiting longer. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

/** Creates the port. */
export function createPasswords({ cost = 12 }: { readonly cost?: number } = {}): Passwords {
  const unmatchable = unmatchableHash(cost);
  const client = createThreadClient<PasswordJob, PasswordResult>({
    start: () => startThread(new URL('./thread', import.meta.url), 'servePasswords'),
    endedError: (why) => new Unavailable(`the password thread ended: ${why}`, RETRY_AFTER_SECONDS),
  });
  const run = async (job: PasswordJob): Promise<string | boolean> => {
    // One job in addition to the queued ones is in progress.
    if (client.isClosed() || client.pending() > MAX_WAITING) {
      const text = `too many logins at the same time; retry in ${RETRY_AFTER_SECONDS} seconds`;
      throw new RetryLater(text, RETRY_AFTER_SECONDS);
    }
    const response = await client.ask(job);
    if ('failed' in response) throw new Error(response.failed);
    return response.result;
  };
  return {
    hash: async (password) => String(await run({ kind: 'hash', password, cost })),
    verify: async (password, hash) => (await run({ kind: 'verify', password, hash })) === true,
    verifyDummy: async (password) => {
      await run({ kind: 'verify', password, hash: unmatchable });
      return false;
    },
    isOutdated: (hash) => costOf(hash) < cost,
    close: client.close,
  };
}

/** Returns a hash of the current cost that no password matches: its end is a single repeated letter. */
function unmatchableHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'O'.repeat(22)}${'u'.repeat(31)}`;
}

function costOf(hash: string): number {
  return Number(/^\$2[aby]\$(\d\d)\$/.exec(hash)?.[1] ?? Infinity);
}
