// Runs the specs of the dashboard in the system's Chromium, and reports how many files did not run where there is none. Downloads nothing.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { findChromium } from './support/chromium.js';

if (findChromium() === null) {
  const specs = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.browser.ts'));
  // `.ci/run` repeats the lines that begin with this mark before its last line.
  const lines = [
    `NOT RUN: ${specs.length} spec files of the dashboard (tests/browser/*.browser.ts).`,
    'No Chromium was found, so nothing in this run tests the dashboard in a browser.',
    'Install it (apt-get install chromium) or set CHROMIUM_PATH, then run: npm run test:browser',
  ];
  const rule = '!'.repeat(100);
  process.stdout.write(`\n${[rule, ...lines.map((line) => `!!! ${line}`), rule].join('\n')}\n`);
} else {
  const specs = ['--timeout', '120000', 'tests/browser/**/*.browser.ts'];
  const { status } = spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...specs], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
