// `npm run sim -- --seeds N [--seed S] [--jobs J]`: plays N worlds from seed S on (1) in J processes (1), and ends with 1 after telling of
// the first that failed.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { judge, report, watchUncaught } from './simulate.js';
import { writeScript } from './world/script.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
  },
});
const [from, count, jobs] = [Number(values.seed), Number(values.seeds), Number(values.jobs)];
const EVERY = 500;
const say = (text: string) => void process.stdout.write(`${text}\n`);
const startedAt = performance.now();
const hold = await (jobs > 1 ? playBeside() : playHere());
const minutes = (performance.now() - startedAt) / 60_000;
const rate = `${Math.round(count / minutes)} worlds a minute`;
say(hold ? `${count} worlds from seed ${from}: all hold, ${rate}` : 'not all hold');
process.exit(hold ? 0 : 1);

async function playHere(): Promise<boolean> {
  watchUncaught();
  let failed = 0;
  for (let n = 0; n < count; n++) {
    const seed = from + n;
    const { findings } = await judge(writeScript(seed));
    if (findings.length > 0) {
      failed++;
      say(values['keep-going'] ? `seed ${seed}: ${findings[0]?.slice(0, 400) ?? ''}` : await report(seed));
      if (!values['keep-going']) return false;
    }
    if ((n + 1) % EVERY === 0) say(`${n + 1} worlds, ${failed} failed`);
  }
  return failed === 0;
}

/** Each process plays a part of the seeds, one after another. */
async function playBeside(): Promise<boolean> {
  const share = Math.ceil(count / jobs);
  const parts = Array.from({ length: jobs }, (_, i) => ({
    seed: from + i * share,
    seeds: Math.max(0, Math.min(share, count - i * share)),
  }));
  const ended = await Promise.all(parts.filter(({ seeds }) => seeds > 0).map(playPart));
  return ended.every((code) => code === 0);
}

function playPart({ seed, seeds }: { readonly seed: number; readonly seeds: number }): Promise<number | null> {
  const own = ['--seed', String(seed), '--seeds', String(seeds), ...(values['keep-going'] ? ['--keep-going'] : [])];
  const [, script = ''] = process.argv;
  const part = spawn(process.execPath, [...process.execArgv, script, ...own], { stdio: 'inherit' });
  return new Promise((resolve, reject) => part.once('error', reject).once('exit', (code) => resolve(code)));
}
