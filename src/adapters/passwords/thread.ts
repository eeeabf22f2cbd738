// Runs in a worker thread: bcrypt blocks its thread for a quarter of a second per hash, even through its asynchronous interface.
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';
import type { NumberedMessage } from '../threads.js';

export type PasswordJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: number }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

export type PasswordResult = { readonly result: string | boolean } | { readonly failed: string };

/** Serves the port until the message `close`. */
export function servePasswords(): void {
  const port = parentPort;
  if (!port) throw new Error('the password thread must run in a worker thread');
  port.on('message', (job: NumberedMessage<PasswordJob> | 'close') => {
    if (job === 'close') return port.close();
    port.postMessage({ id: job.id, ...resultOf(job) });
  });
}

function resultOf(job: PasswordJob): PasswordResult {
  try {
    return { result: job.kind === 'hash' ? hashSync(job.password, job.cost) : matches(job.password, job.hash) };
  } catch (err) {
    return { failed: err instanceof Error ? err.message : String(err) };
  }
}

/** Compares password and hash. Another algorithm has another prefix, and gets a case here. */
function matches(password: string, hash: string): boolean {
  if (!hash.startsWith('$2')) throw new Error('the stored hash has an unknown algorithm');
  return compareSync(password, hash);
}
