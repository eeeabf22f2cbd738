// A person in front of the page, in an odd time zone and another language. What the browser complains about is kept.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';

export const PASSWORD = 'correct horse battery';

export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console, violations of the policy, requests to other places. */
  readonly complaints: string[];
  /** Requests that the server refused. */
  readonly refusals: string[];
  /** Resolves when all that was asked for is there and shown. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export async function visit(browser: Browser, url: string): Promise<Visitor> {
  const context = await browser.newContext({
    timezoneId: 'Pacific/Chatham',
    locale: 'de-DE',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  });
  const complaints: string[] = [];
  const refusals: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  // Refused requests are part of some specs; the browser writes a line about each.
  const isOfRefusal = (text: string) => text.startsWith('Failed to load resource');
  page.on('console', (m) => m.type() === 'error' && !isOfRefusal(m.text()) && complaints.push(m.text()));
  page.on('pageerror', (err) => complaints.push(err.message));
  page.on('request', (r) => !r.url().startsWith(url) && /^https?:/.test(r.url()) && complaints.push(r.url()));
  page.on('response', (r) => r.status() >= 400 && refusals.push(`${r.status()} ${r.request().method()} ${r.url()}`));
  await page.goto(`${url}/dashboard`);
  return { page, context, complaints, refusals, settled: settlingOf(page), close: () => context.close() };
}

/** A text, since its names are the browser's. */
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

/** Placeholders and older data. Between a response and the requests that it causes, no request is open, but one of these is shown. */
const LOADING = '.loading, [aria-busy="true"]';

function settlingOf(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  const loading = page.locator(LOADING);
  let onEnd = (): void => undefined;
  const end = (request: Request) => {
    open.delete(request);
    onEnd();
  };
  // The live feed never ends.
  page.on('request', (request) => !new URL(request.url()).pathname.endsWith('/live') && open.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const untilNone = async () => {
    while (open.size > 0) await new Promise<void>((resolve) => (onEnd = resolve));
  };
  return async () => {
    do {
      await untilNone();
      await loading.first().waitFor({ state: 'detached' });
      // A response may cause further requests.
      await page.evaluate(TWO_FRAMES);
    } while (open.size > 0 || (await loading.count()) > 0);
  };
}

export async function register({ page }: Visitor, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Register' }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('button', { name: 'You', exact: true }).waitFor();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

/** Returns the serious and critical findings, with the first element of each. */
export async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate(async (tags) => {
    const { axe: loaded } = globalThis as unknown as {
      readonly axe: { run(o: object): Promise<{ readonly violations: Violation[] }> };
    };
    return (await loaded.run({ runOnly: { type: 'tag', values: tags } })).violations;
  }, TAGS);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

/** Nothing but tables may be wider than the window. */
export async function expectNoSidewaysScroll(page: Page, about: string): Promise<void> {
  // Drawings follow the width of the window within a frame of it, and are shown with the next.
  await page.evaluate(TWO_FRAMES);
  // A text, since its names are the browser's.
  const wide = await page.evaluate<string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isInside = (e) => !e.closest('.scroll, nav, pre') && e.getBoundingClientRect().right > clientWidth;
    return [...document.querySelectorAll('main *, header *')].filter(isInside).map((e) => e.outerHTML.slice(0, 120));
  })()`);
  expect(wide, `too wide: ${about}`).to.deep.equal([]);
}
