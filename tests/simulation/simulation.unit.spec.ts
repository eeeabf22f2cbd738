// Worlds of the whole service, each from one seed: everything fails, then all is calm, and then what was promised must hold.
// SIM_SEEDS=<number> plays more of them, SIM_SEED=<number> begins elsewhere; `npm run sim` tells the story of one that fails.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { judge, watchUncaught } from './simulate.js';
import { writeScript } from './world/script.js';

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 300);
const FIRST = Number(process.env['SIM_SEED'] ?? 1);
/** Processes. */
const JOBS = 2;
const LIMITS = { maxBuffer: 64 * 1024 * 1024 };

describe('a simulated world', function () {
  this.timeout(60_000 + SEEDS * 3000);
  let unwatch: () => void;
  before(() => (unwatch = watchUncaught()));
  after(() => unwatch());

  for (const seed of [2, 5])
    it(`is the same world each time it is played, to the last write (seed ${seed})`, async () => {
      const [first, second] = [await judge(writeScript(seed)), await judge(writeScript(seed))];
      expect(first.hash).to.match(/^[0-9a-f]{64}$/);
      expect(second.hash).to.equal(first.hash);
      expect((await judge(writeScript(seed + 1))).hash).not.to.equal(first.hash);
    });

  it(`keeps every promise, whatever fails, in ${SEEDS} worlds`, async () => {
    const script = fileURLToPath(new URL('./run.ts', import.meta.url));
    const asked = ['--seeds', String(SEEDS), '--seed', String(FIRST), '--jobs', String(JOBS)];
    const { code, told } = await new Promise<{ code: unknown; told: string }>((resolve) =>
      execFile(process.execPath, ['--import=tsx', script, ...asked], LIMITS, (err, stdout, stderr) =>
        resolve({ code: err?.code ?? 0, told: stdout + stderr }),
      ),
    );
    expect(code, told).to.equal(0);
    expect(told).to.contain(`${SEEDS} worlds from seed ${FIRST}: all hold`);
  });
});
