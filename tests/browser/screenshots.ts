// Screenshots of every page, light and dark, at 1280 and 390 pixels, in English formats: `npm run screenshots [folder]`. Those for the
// documents are written to docs/images, as WebP so that they stay small.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addMonths } from '../../src/domain/books/report-values.js';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { caller, startHarness, type Json } from '../http/support/harness.js';
import { launchChromium } from './support/chromium.js';
import { PASSWORD } from './support/visitor.js';

type Shot = {
  readonly name: string;
  /** Path below `/dashboard`. */
  readonly path: string;
  /** Brings the page into the state to show. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

const FOLDER = process.argv[2] ?? 'screenshots';
const DOCUMENTS = 'docs/images';
/** Pages that README.md and docs/ show, at the larger width. */
const SHOWN = new Set(['overview', 'customer', 'chart', 'what-changed', 'live', 'webhook', 'guide', 'money-month']);
const EMAIL = 'demo@example.com';
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 800;
/** Height up to which a longer page is shown outside of the documents. */
const MAX_HEIGHT = 2400;
const QUALITY = 82;

const harness = await startHarness({ EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
const browser = await launchChromium();
try {
  for (const folder of [FOLDER, DOCUMENTS]) mkdirSync(folder, { recursive: true });
  await takeScreenshots(harness.service().url ?? '', browser);
} finally {
  await browser.close();
  await harness.stop();
}

async function takeScreenshots(url: string, { newContext }: Pick<Browser, 'newContext'>): Promise<void> {
  const call = caller(() => url);
  const registered = await call('POST', '/auth/register', { email: EMAIL, password: PASSWORD });
  const as = { token: registered.body.accessToken as string };
  const forEachView = async (shots: readonly Shot[], isLoggedIn: boolean): Promise<void> => {
    for (const width of WIDTHS) {
      for (const colorScheme of THEMES) {
        const viewport = { width, height: HEIGHT };
        const look = { colorScheme, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' } as const;
        const context = await newContext.call(browser, { ...look, viewport });
        if (isLoggedIn) await logIn(context, url);
        for (const shot of shots) await take(context, url, shot, `${shot.name}-${colorScheme}`, width);
        await context.close();
      }
    }
  };
  await forEachView([{ name: 'login', path: '' }], false);
  await forEachView([{ name: 'start', path: '' }], true);
  const demo = await call('POST', '/v1/demo', undefined, as);
  const base = `/v1/projects/${demo.body.id}`;
  const get = async (path: string): Promise<Json> => (await call('GET', `${base}/${path}`, undefined, as)).body;
  while ((await call('GET', base, undefined, as)).body.demo === 'playing') {
    await harness.service().services.runtime.sleep(500);
  }
  await forEachView(await shotsOfProject(`/projects/${demo.body.id}`, get), true);
}

async function shotsOfProject(base: string, get: (path: string) => Promise<Json>): Promise<readonly Shot[]> {
  const first = async (path: string): Promise<Json> => (await get(path)).items[0];
  const customer = await first('customers?limit=1&status=billing_retry');
  const notification = await first('notifications?limit=1&state=handled');
  const webhook = await first('webhooks?limit=1');
  const delivery = await first(`webhooks/${webhook.id}/deliveries?limit=1`);
  const experiment = await first('experiments?limit=1');
  const app = await first('apps?limit=1');
  const now = Date.now();
  const aMonthAgo = new Date(now - 30 * 86_400_000).toISOString();
  const year = 'period=last_12_months&interval=month';
  const monthBefore = addMonths(new Date(now).toISOString().slice(0, 7), -1);
  const page = (name: string, path = name): Shot => ({ name, path: `${base}/${path}` });
  return [
    { name: 'projects', path: '/projects' },
    page('overview'),
    page('customers'),
    {
      ...page('customer', `customers/${customer.id}`),
      prepare: async (shown) => {
        const why = shown.getByRole('button', { name: 'Why?' });
        if (await why.count()) await why.first().click();
      },
    },
    page('charts'),
    page('chart', `charts/revenue?${year}`),
    page('mrr-by-country', `charts/mrr?${year}&segment=country`),
    page('cohorts', 'charts/cohort_explorer'),
    page('what-changed', `charts/revenue?${year}&then=${encodeURIComponent(aMonthAgo)}`),
    page('compare', `compare?chart=revenue&${year}&then=${encodeURIComponent(aMonthAgo)}`),
    page('compare-periods', 'compare?chart=revenue&period=last_90_days&interval=week&previous=period'),
    {
      ...page('live'),
      prepare: async (shown) => {
        await shown.getByRole('button', { name: 'Simulate a purchase' }).click();
        await shown.getByRole('list', { name: 'Stages' }).first().waitFor();
      },
    },
    page('notifications'),
    page('notification', `notifications/${notification.id}`),
    page('webhooks'),
    page('webhook', `webhooks/${webhook.id}?delivery=${delivery.id}`),
    page('paywalls'),
    page('experiments'),
    page('experiment', `experiments/${experiment.id}`),
    page('setup'),
    page('guide', `setup/${app.id}`),
    page('money'),
    page('money-month', `money/${monthBefore}`),
    page('members'),
    page('audit'),
    page('imports'),
    {
      ...page('search', 'overview'),
      prepare: async (shown) => {
        await shown.keyboard.press('Control+k');
        await shown.getByRole('dialog').getByRole('combobox').fill('re');
      },
    },
  ];
}

async function logIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard`);
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).first().click();
  await page.getByRole('button', { name: 'You', exact: true }).waitFor();
  await page.close();
}

async function take(context: BrowserContext, url: string, shot: Shot, name: string, width: number): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard${shot.path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The live feed never ends; all else is loaded by then.
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  await shot.prepare?.(page);
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  await page.evaluate('document.fonts.ready');
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  await write(page, join(FOLDER, `${name}-${width}.webp`), width, Math.min(whole, MAX_HEIGHT));
  if (SHOWN.has(shot.name) && width === WIDTHS[0]) await write(page, join(DOCUMENTS, `${name}.webp`), width, HEIGHT);
  await page.close();
  process.stdout.write(`${name}-${width}\n`);
}

/** Chromium writes WebP, unlike Playwright's own screenshots. */
async function write(page: Page, file: string, width: number, height: number): Promise<void> {
  const chromium = await page.context().newCDPSession(page);
  const { data } = await chromium.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: QUALITY, captureBeyondViewport: true },
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  writeFileSync(file, Buffer.from(data, 'base64'));
}
