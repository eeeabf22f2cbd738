// `npm run sim -- --seeds N [--seed S] [--jobs J] [--keep-going]`: simulates N seeds (300) from seed S (1) in J processes (1). Reports the
// first failure and exits with 1. With `--keep-going` it prints one line per failing seed and runs all seeds.
import { fork } from 'node:child_process';
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
/** Seeds that a process gets at a time: some runs take many times as long as others. */
const CHUNK = 20;
const say = (text: string) => void process.stdout.write(`${text}\n`);
const startedAt = performance.now();
if (process.send) await playForParent();
watchUncaught();
const hold = await (jobs > 1 ? playBeside() : playHere());
const minutes = (performance.now() - startedAt) / 60_000;
const rate = `${Math.round(count / minutes)} runs/min`;
say(hold ? `${count} runs from seed ${from}: no findings, ${rate}` : 'simulation failed');
process.exit(hold ? 0 : 1);

/** Returns the number of failed runs: at most one, unless `--keep-going`. */
async function playFrom(first: number, seeds: number, onPlayed: () => void = () => undefined): Promise<number> {
  let failed = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    const { findings } = await judge(writeScript(seed));
    if (findings.length > 0) {
      failed++;
      say(values['keep-going'] ? `seed ${seed}: ${findings[0]?.slice(0, 400) ?? ''}` : await report(seed));
      if (!values['keep-going']) return failed;
    }
    onPlayed();
  }
  return failed;
}

async function playHere(): Promise<boolean> {
  let played = 0;
  const failed = await playFrom(from, count, () => {
    if (++played % EVERY === 0) say(`${played} runs`);
  });
  return failed === 0;
}

/** Runs seeds in child processes, each of which gets the next chunk when it has finished one. */
async function playBeside(): Promise<boolean> {
  let next = 0;
  let failed = 0;
  const isOver = () => next >= count || (failed > 0 && !values['keep-going']);
  const takeChunk = () => {
    const chunk = { seed: from + next, seeds: Math.min(CHUNK, count - next) };
    next += chunk.seeds;
    if (Math.floor(next / EVERY) > Math.floor((next - chunk.seeds) / EVERY)) say(`${next} runs, ${failed} failed`);
    return chunk;
  };
  const [, script = ''] = process.argv;
  const playChunks = () =>
    new Promise<boolean>((resolve, reject) => {
      const part = fork(script, values['keep-going'] ? ['--keep-going'] : []);
      let isAtWork = false;
      const goOn = () => {
        isAtWork = !isOver();
        if (isAtWork) part.send(takeChunk());
        else part.disconnect();
      };
      part.on('message', (failedOfThem) => {
        failed += Number(failedOfThem);
        goOn();
      });
      part.once('error', reject).once('exit', () => resolve(!isAtWork));
      goOn();
    });
  const ended = await Promise.all(Array.from({ length: jobs }, playChunks));
  return failed === 0 && ended.every((isWhole) => isWhole);
}

/** Runs the chunks that the parent sends and replies with the number of failures, until the parent disconnects. */
async function playForParent(): Promise<never> {
  watchUncaught();
  process.on('message', ({ seed, seeds }: { readonly seed: number; readonly seeds: number }) => {
    void playFrom(seed, seeds).then((failed) => process.send?.(failed));
  });
  process.once('disconnect', () => process.exit(0));
  return new Promise(() => undefined);
}
