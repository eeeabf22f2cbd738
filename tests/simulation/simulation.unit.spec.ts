// Simulates the whole service from seeds: injects faults, quiesces, and checks all invariants. See docs/simulation.md.
// SIM_SEEDS=<number> runs another number of seeds, SIM_SEED=<number> sets the first one.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { simulate, collectUnhandledRejections } from './simulate.js';
import { createScript } from './scenario/script.js';

/** The first 50 seeds find 20 of the 22 bugs of mutations.ts; `npm run sim` runs more. */
const SEEDS = Number(process.env['SIM_SEEDS'] ?? 50);
const FIRST = Number(process.env['SIM_SEED'] ?? 1);
const JOBS = 2;
const LIMITS = { maxBuffer: 64 * 1024 * 1024 };

describe('the simulation', function () {
  this.timeout(60_000 + SEEDS * 10_000);
  let unwatch: () => void;
  before(() => (unwatch = collectUnhandledRejections()));
  after(() => unwatch());

  for (const seed of [2, 5])
    it(`gives the same trace for the same seed (seed ${seed})`, async () => {
      const [first, second] = [await simulate(createScript(seed)), await simulate(createScript(seed))];
      expect(first.hash).to.match(/^[0-9a-f]{64}$/);
      expect(second.hash).to.equal(first.hash);
      expect((await simulate(createScript(seed + 1))).hash).not.to.equal(first.hash);
    });

  it(`finds no violated invariant in ${SEEDS} runs with faults`, async () => {
    const script = fileURLToPath(new URL('./run.ts', import.meta.url));
    const args = ['--seeds', String(SEEDS), '--seed', String(FIRST), '--jobs', String(JOBS)];
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
      execFile(process.execPath, ['--import=tsx', script, ...args], LIMITS, (err, stdout, stderr) =>
        resolve({ code: err?.code ?? 0, output: stdout + stderr }),
      ),
    );
    expect(code, output).to.equal(0);
    expect(output).to.contain(`${SEEDS} runs from seed ${FIRST}: no findings`);
  });
});
