// The system's Chromium.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  return (given ? [given] : PLACES).find((path) => existsSync(path)) ?? null;
}

export function launchChromium(): Promise<Browser> {
  // Its sandbox refuses to be started by root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findChromium() ?? '', args });
}
