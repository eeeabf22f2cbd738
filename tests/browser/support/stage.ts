// One Chromium, one service and one demo project for the specs of the page: playing the demo takes longer than most of them.
import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import { caller, startHarness, type Call, type Harness, type Json } from '../../http/support/harness.js';
import { launchChromium } from './chromium.js';
import { PASSWORD, register, visit, type Visitor } from './visitor.js';

export const EMAIL = 'owner@example.com';
const PLAYED_MS = 240_000;

export type Stage = {
  readonly harness: Harness;
  readonly browser: Browser;
  /** URL of the service. */
  readonly url: string;
  /** Owner of the demo, in the browser. */
  readonly owner: Visitor;
  /** The same person, by the interface. */
  readonly token: string;
  readonly call: Call;
  readonly projectId: string;
  /** `/projects/…`, of the page and behind `/v1` of the interface. */
  readonly base: string;
  /** The body of a GET as the owner. */
  readonly api: (path: string) => Promise<Json>;
  /** Shows a path below `/dashboard` to the owner, whole. */
  readonly open: (path: string) => Promise<void>;
};

let opened: Promise<Stage> | null = null;

/** Call it in a `describe`. The result is filled before the first test; after each test the console must have no errors. */
export function setUpStage(): Stage {
  const stage = {} as Stage;
  before(async function () {
    this.timeout(PLAYED_MS + 30_000);
    Object.assign(stage, await (opened ??= openStage()));
  });
  afterEach(() => expect(stage.owner.complaints.splice(0)).to.deep.equal([]));
  return stage;
}

after(async () => {
  const stage = await opened?.catch(() => null);
  await stage?.browser.close();
  await stage?.harness.stop();
});

async function openStage(): Promise<Stage> {
  // Receivers of webhooks listen on loopback.
  const harness = await startHarness({ EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  const browser = await launchChromium();
  const url = harness.service().url ?? '';
  const owner = await visit(browser, url);
  const { page } = owner;
  await register(owner, EMAIL);
  await page.getByRole('button', { name: 'Load the demo' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const notice = page.getByText('is being simulated');
  // Waiting for its end alone would succeed at once if the notice had another text.
  await notice.waitFor();
  await page.getByRole('progressbar', { name: /is being simulated/ }).waitFor();
  await notice.waitFor({ state: 'detached', timeout: PLAYED_MS });
  const projectId = /projects\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const call = caller(() => url);
  const token: string = (await call('POST', '/auth/login', { email: EMAIL, password: PASSWORD })).body.accessToken;
  return {
    ...{ harness, browser, url, owner, token, call, projectId },
    base: `/projects/${projectId}`,
    api: async (path) => (await call('GET', path, undefined, { token })).body,
    open: (path) => openPage(owner, `${url}/dashboard${path}`),
  };
}

/** Waits until all that was asked for is there. */
export async function openPage({ page, settled }: Visitor, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled();
}

/** Opens the menu of an object, whose actions are buttons in it. */
export async function openMenu(within: Page | Locator, name: string): Promise<void> {
  await within.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
}

/** Registers an invited member with a role, in a separate browser. */
export async function visitAs(stage: Stage, role: string, email = `${role}@example.com`) {
  const { call, base, token, browser, url } = stage;
  const invited = await call('POST', `/v1${base}/members`, { email, role }, { token });
  const registered = { email, password: PASSWORD, invitationToken: invited.body.token };
  const own: string = (await call('POST', '/auth/register', registered)).body.accessToken;
  const visitor = await visit(browser, url);
  await logIn(visitor, email);
  return { visitor, token: own };
}

export async function logIn({ page }: Visitor, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).first().click();
  await page.getByRole('button', { name: 'You', exact: true }).waitFor();
}
