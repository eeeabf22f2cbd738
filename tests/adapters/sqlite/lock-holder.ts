// A process of its own for the specs of the directory lock: takes the lock, says so, and holds it until it is ended.
import { lockDirectory } from '../../../src/adapters/sqlite/lock.js';

try {
  lockDirectory(process.argv[2] ?? '');
  process.stdout.write('locked\n');
  process.stdin.resume();
} catch (err) {
  process.stdout.write(`${err instanceof Error ? `${err.name}: ${err.message}` : String(err)}\n`);
}
