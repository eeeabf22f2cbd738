// Runs in a worker thread: bcrypt holds its thread for a quarter of a second a piece, whatever its interface calls itself.
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';

export type PasswordJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: number }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

/** Results leave in the order of the jobs, which is why neither carries a name. */
export type PasswordResult = { readonly result: string | boolean } | { readonly failed: string };

/** Serves the port until the message `close`. */
export function servePasswords(): void {
  const port = parentPort;
  if (!port) throw new Error('the password thread runs as a worker only');
  port.on('message', (job: PasswordJob | 'close') => {
    if (job === 'close') return port.close();
    port.postMessage(resultOf(job));
  });
}

function resultOf(job: PasswordJob): PasswordResult {
  try {
    return { result: job.kind === 'hash' ? hashSync(job.password, job.cost) : matches(job.password, job.hash) };
  } catch (err) {
    return { failed: err instanceof Error ? err.message : String(err) };
  }
}

/** Another algorithm has another prefix, and gets its case here. */
function matches(password: string, hash: string): boolean {
  if (!hash.startsWith('$2')) throw new Error('the stored hash is of an unknown algorithm');
  return compareSync(password, hash);
}
