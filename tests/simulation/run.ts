// `npm run sim -- --seeds N [--seed S] [--jobs J] [--keep-going]`: simulates N seeds (300) from seed S (1) in J processes (1). Reports the
// first failure and exits with 1. With `--keep-going` it prints one line per failing seed and runs all seeds.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { simulate, createReport, collectUnhandledRejections } from './simulate.js';
import { createScript } from './scenario/script.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
  },
});
const [firstSeed, count, jobs] = [Number(values.seed), Number(values.seeds), Number(values.jobs)];
const PROGRESS_EVERY = 500;
/** Seeds that a process gets at a time: some runs take many times as long as others. */
const CHUNK_SIZE = 20;
const print = (text: string) => void process.stdout.write(`${text}\n`);
const startedAt = performance.now();
if (process.send) await runForParent();
collectUnhandledRejections();
const hasPassed = await (jobs > 1 ? runInChildren() : runInProcess());
const minutes = (performance.now() - startedAt) / 60_000;
const rate = `${Math.round(count / minutes)} runs/min`;
print(hasPassed ? `${count} runs from seed ${firstSeed}: no findings, ${rate}` : 'simulation failed');
process.exit(hasPassed ? 0 : 1);

/** Returns the number of failed runs: at most one, unless `--keep-going`. */
async function runSeeds(first: number, seeds: number, onDone: () => void = () => undefined): Promise<number> {
  let failed = 0;
  for (let seed = first; seed < first + seeds; seed++) {
    const { findings } = await simulate(createScript(seed));
    if (findings.length > 0) {
      failed++;
      print(values['keep-going'] ? `seed ${seed}: ${findings[0]?.slice(0, 400) ?? ''}` : await createReport(seed));
      if (!values['keep-going']) return failed;
    }
    onDone();
  }
  return failed;
}

async function runInProcess(): Promise<boolean> {
  let done = 0;
  const failed = await runSeeds(firstSeed, count, () => {
    if (++done % PROGRESS_EVERY === 0) print(`${done} runs`);
  });
  return failed === 0;
}

/** Runs seeds in child processes, each of which gets the next chunk when it has finished one. */
async function runInChildren(): Promise<boolean> {
  let next = 0;
  let failed = 0;
  const isOver = () => next >= count || (failed > 0 && !values['keep-going']);
  const nextChunk = () => {
    const chunk = { seed: firstSeed + next, seeds: Math.min(CHUNK_SIZE, count - next) };
    next += chunk.seeds;
    if (Math.floor(next / PROGRESS_EVERY) > Math.floor((next - chunk.seeds) / PROGRESS_EVERY))
      print(`${next} runs, ${failed} failed`);
    return chunk;
  };
  const [, script = ''] = process.argv;
  const runChild = () =>
    new Promise<boolean>((resolve, reject) => {
      const child = fork(script, values['keep-going'] ? ['--keep-going'] : []);
      let isBusy = false;
      const sendNextChunk = () => {
        isBusy = !isOver();
        if (isBusy) child.send(nextChunk());
        else child.disconnect();
      };
      child.on('message', (failedOfThem) => {
        failed += Number(failedOfThem);
        sendNextChunk();
      });
      child.once('error', reject).once('exit', () => resolve(!isBusy));
      sendNextChunk();
    });
  const ended = await Promise.all(Array.from({ length: jobs }, runChild));
  return failed === 0 && ended.every((isWhole) => isWhole);
}

/** Runs the chunks that the parent sends and replies with the number of failures, until the parent disconnects. */
async function runForParent(): Promise<never> {
  collectUnhandledRejections();
  process.on('message', ({ seed, seeds }: { readonly seed: number; readonly seeds: number }) => {
    void runSeeds(seed, seeds).then((failed) => process.send?.(failed));
  });
  process.once('disconnect', () => process.exit(0));
  return new Promise(() => undefined);
}
