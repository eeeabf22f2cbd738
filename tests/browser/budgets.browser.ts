// Budgets of the page. Sizes are exact; times are printed medians with limits that a busy machine meets, too.
import { readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { setUpStage } from './support/stage.js';

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
};

const FOLDER = new URL('../../dist/dashboard/', import.meta.url);
const VISITS = 5;
/** Budgets on an idle machine; a busy one gets `BUSY` times as much. */
const BUDGET_MS = { chart: 500, customer: 300, longTask: 50 };
const BUSY = 8;

/** Script that measures when the selector first matches, in ms since the navigation, and the longest task until then. */
const WATCH = (selector: string) => `(() => {
  window.seen = { at: null, longest: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.seen.longest = Math.max(window.seen.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('${selector}')) return;
    window.seen.at = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
})()`;

describe('budgets of the page', () => {
  const stage = setUpStage();

  it('weighs little: 120 kB of script at first, 200 kB in all', () => {
    const manifest = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Record<string, Chunk>;
    const files = new Map<string, string>();
    const take = (name: string): void => {
      const chunk = manifest[name];
      if (!chunk || files.has(name)) return;
      files.set(name, chunk.file);
      chunk.imports?.forEach(take);
    };
    const weigh = (names: Iterable<string>) =>
      [...new Set(names)]
        .filter((file) => file.endsWith('.js'))
        .reduce((sum, file) => sum + statSync(new URL(`${file}.gz`, FOLDER)).size, 0);
    take('index.html');
    take('src/overview/overview-page.tsx');
    const first = weigh(files.values());
    const all = weigh(Object.values(manifest).map(({ file }) => file));
    process.stdout.write(`    script, gzip -9: ${first} bytes for the overview, ${all} in all\n`);
    expect(files.size).to.be.above(2);
    expect(first).to.be.below(120_000);
    expect(all).to.be.below(200_000);
  });

  const visits = async (address: string, selector: string) => {
    const times: number[] = [];
    const longest: number[] = [];
    for (let n = 0; n < VISITS; n++) {
      const page = await stage.owner.context.newPage();
      await page.addInitScript(WATCH(selector));
      await page.goto(`${stage.url}/dashboard${address}`);
      await page.locator(selector).first().waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      const seen = await page.evaluate<{ at: number; longest: number }>('window.seen');
      times.push(seen.at);
      longest.push(seen.longest);
      await page.close();
    }
    const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(VISITS / 2)] ?? NaN;
    return { ms: Math.round(median(times)), longTaskMs: Math.round(median(longest)) };
  };

  it('draws a first chart soon, from an empty window', async () => {
    const { ms, longTaskMs } = await visits(`${stage.base}/charts/mrr`, 'figure svg .line');
    process.stdout.write(
      `    a chart: ${ms} ms after the address (median of ${VISITS}), longest task ${longTaskMs} ms\n`,
    );
    expect(ms).to.be.below(BUDGET_MS.chart * BUSY);
    expect(longTaskMs).to.be.below(BUDGET_MS.longTask * BUSY);
  });

  it('shows a customer soon, with access in a sentence', async () => {
    const { items } = await stage.api(`/v1${stage.base}/customers?limit=1&status=active`);
    const [{ id }]: Json[] = items;
    const { ms, longTaskMs } = await visits(`${stage.base}/customers/${id}`, '.verdict');
    process.stdout.write(
      `    a customer: ${ms} ms after the address (median of ${VISITS}), longest task ${longTaskMs} ms\n`,
    );
    expect(ms).to.be.below(BUDGET_MS.customer * BUSY);
    expect(longTaskMs).to.be.below(BUDGET_MS.longTask * BUSY);
  });

  it('draws a table of all days without a long task', async () => {
    const { longTaskMs } = await visits(`${stage.base}/charts/mrr_movement?period=all_time&interval=day`, 'tbody tr');
    process.stdout.write(`    a chart of 14 months by day: longest task ${longTaskMs} ms (median of ${VISITS})\n`);
    expect(longTaskMs).to.be.below(BUDGET_MS.longTask * BUSY);
  });
});
