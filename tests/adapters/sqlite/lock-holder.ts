// A process of its own for the specs of the directory lock: takes the lock, reports it, and keeps it until it is ended.
import { lockDirectory } from '../../../src/adapters/sqlite/lock.js';
import { report } from '../child.js';

try {
  lockDirectory(process.argv[2] ?? '');
  report('locked');
  process.stdin.resume();
} catch (err) {
  report(err instanceof Error ? `${err.name}: ${err.message}` : String(err));
}
