// Runs the named benchmarks, or all, writes bench/results.json and prints a table. `--short` makes a quick run, `--long` adds benchmarks of
// tens of minutes, `--distributed` runs those on EVENTSTORE_URL and MONGODB_URL instead.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Bench, BenchRow } from './bench.js';
import { benchDistributed } from './distributed.js';
import { benchImports } from './imports.js';
import { benchIngestion } from './ingestion.js';
import { benchLive } from './live.js';
import { benchPeople } from './people.js';
import { benchQuestions } from './questions.js';
import { benchRebuild } from './rebuild.js';
import { benchSubscribers } from './subscribers.js';
import { benchWebhooks } from './webhooks.js';

const embedded: Readonly<Record<string, Bench>> = {
  subscribers: benchSubscribers,
  ingestion: benchIngestion,
  imports: benchImports,
  rebuild: benchRebuild,
  questions: benchQuestions,
  webhooks: benchWebhooks,
  live: benchLive,
  people: benchPeople,
};

const { values, positionals } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    distributed: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const benches: Readonly<Record<string, Bench>> = values.distributed ? { distributed: benchDistributed } : embedded;
const unknown = positionals.find((name) => !(name in benches));
if (unknown !== undefined) {
  process.stderr.write(`unknown benchmark: ${unknown}. Choose from: ${Object.keys(benches).join(', ')}\n`);
  process.exit(1);
}
const { short, long } = values;
const results: Record<string, BenchRow[]> = {};
for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stderr.write(`measuring ${name} ...\n`);
  results[name] = await bench(short, long);
}

const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
const report = { short, long, machine, results };
writeFileSync(new URL('./results.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`);

for (const [name, rows] of Object.entries(results)) {
  process.stdout.write(`\n${name}\n`);
  for (const row of rows) process.stdout.write(`  ${line(row)}\n`);
}
process.stdout.write('\nratios\n');
for (const row of Object.values(results).flat()) {
  if (row.target !== undefined || row.unit === 'ratio') process.stdout.write(`  ${line(row)}\n`);
}

function line({ name, value, unit, target, ok }: BenchRow): string {
  const number = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
  const verdict = target === undefined ? '' : `  ${target.padEnd(8)} ${ok ? 'ok' : 'MISSED'}`;
  return `${name.padEnd(64)} ${number.padStart(12)} ${unit.padEnd(9)}${verdict}`.trimEnd();
}
