// Runs the specs of the page in the system's Chromium, and says so in a line where there is none. Nothing is downloaded.
import { spawnSync } from 'node:child_process';
import { findChromium } from './support/chromium.js';

if (findChromium() === null) {
  process.stdout.write('no Chromium: the page was not tried (apt-get install chromium, or set CHROMIUM_PATH)\n');
} else {
  const specs = ['--timeout', '120000', 'tests/browser/**/*.browser.ts'];
  const { status } = spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...specs], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
