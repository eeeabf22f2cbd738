// `npm run sim -- --seeds N [--seed S]`: plays N worlds from seed S on (1), and ends with 1 after telling of the first that failed.
import { parseArgs } from 'node:util';
import { judge, report, watchUncaught } from './simulate.js';
import { writeScript } from './world/script.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    'keep-going': { type: 'boolean', default: false },
  },
});
const [from, count] = [Number(values.seed), Number(values.seeds)];
const EVERY = 500;
let failed = 0;
watchUncaught();
const startedAt = performance.now();
for (let n = 0; n < count; n++) {
  const seed = from + n;
  const { findings } = await judge(writeScript(seed));
  if (findings.length > 0) {
    failed++;
    process.stdout.write(
      values['keep-going'] ? `seed ${seed}: ${findings[0]?.slice(0, 400) ?? ''}\n` : `${await report(seed)}\n`,
    );
    if (!values['keep-going']) break;
  }
  if ((n + 1) % EVERY === 0) process.stdout.write(`${n + 1} worlds, ${failed} failed\n`);
}
const minutes = (performance.now() - startedAt) / 60_000;
process.stdout.write(
  `${failed === 0 ? `${count} worlds from seed ${from}: all hold` : `${failed} failed`}, ${Math.round(count / minutes)} worlds a minute\n`,
);
process.exit(failed === 0 ? 0 : 1);
