// Three processes on one log, one of them killed at a time, under a mixed load.
import { mixedKill } from '../e2e/mixed-kill.js';
import { ownEngine, skipped } from './servers.js';

const engine = ownEngine();

if (engine['MONGODB_URL'] === undefined) skipped('processes killed', 'TEST_EVENTSTORE_URL and TEST_MONGODB_URL');
else
  describe('one of several processes killed under a mixed load', function () {
    mixedKill.call(this, { processes: 3, engine: () => engine });
  });
