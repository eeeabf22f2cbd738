// One process on its own files, killed under a mixed load.
import { join } from 'node:path';
import { mixedKill } from './mixed-kill.js';

describe('a service killed under a mixed load', function () {
  mixedKill.call(this, { processes: 1, engine: (directory) => ({ DATA_DIR: join(directory, 'data') }) });
});
