// Measures the simulated runs per minute, in one process for each of two cores. The seeds are always the same.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.js';

const SCRIPT = fileURLToPath(new URL('../tests/simulation/run.ts', import.meta.url));
const JOBS = 2;

export const benchSimulation: Bench = async (short) => {
  const count = short ? 60 : 300;
  const own = ['--max-semi-space-size=64', '--import=tsx', SCRIPT, '--seeds', String(count), '--jobs', String(JOBS)];
  const { status, stdout } = spawnSync(process.execPath, own, { encoding: 'utf8' });
  const rate = /([\d]+) runs\/min\n$/.exec(stdout)?.[1];
  if (status !== 0 || rate === undefined) throw new Error(`the simulation failed: ${stdout.slice(-2000)}`);
  return [{ name: `simulated runs, ${JOBS} processes`, value: Number(rate), unit: '/min' }];
};
