// Content of a demo project: its setup and its customers' past, or one purchase now. Loaded only with the first demo.
import { Rejection } from '../../domain/errors.js';
import type { DemoCaller, SimulatedPurchase } from '../../http/demo/demo.js';
import { readEcbFile } from '../../adapters/rates/ecb-file.js';
import { ratesDecider, type Rates } from '../../domain/rates/rates.js';
import type { AndroidPlayer } from '#simulator/android-store/play.js';
import { requireData, AT_HEADER, createClient, type Credentials } from '#simulator/client.js';
import { createLifecycles } from '#simulator/lifecycles.js';
import { OTHER_STOREFRONTS } from '#simulator/markets.js';
import { play } from '#simulator/ios-store/play.js';
import type { SignPayload } from '#simulator/ios-store/payloads.js';
import { playPurchase } from '#simulator/ios-store/purchase.js';
import { BUNDLE_ID } from '#simulator/offers.js';
import { populateProject, type SimulatedProject } from '#simulator/project.js';
import { playRefundRequest } from '#simulator/ios-store/refund-request.js';
import { createRateFile } from '#simulator/rates.js';
import { playInOrder } from '#simulator/schedule.js';
import { scheduleExperiment } from '#simulator/selling.js';

/** Connection of the simulation to the service. `extra` are headers that make the service use the time of a request. */
export type SimulationContext = {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly extra: Readonly<Record<string, string>>;
  readonly asker: DemoCaller;
  readonly sign: SignPayload;
  /** Makes the service trust the simulated store for this app. */
  readonly signsFor: (appId: string) => void;
};

/** Simulated period, UTC ms. */
export type PastPeriod = { readonly from: number; readonly until: number };

export type PastPacing = {
  readonly idle: () => Promise<void>;
  readonly waitForReactions: () => Promise<void>;
  readonly passDeadlines: () => Promise<void>;
  readonly during: <T>(atMs: number, work: () => T) => T;
  /** Called with the played share of the past, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

const CUSTOMERS = 180;
/** Customers of the last days, so that some are in their trial. */
const NEWEST_CUSTOMERS = 20;
const NEWEST_MS = 6 * 86_400_000;
/** Customers who pay in other currencies. */
const CUSTOMERS_ABROAD = 40;
/** Address that never resolves (RFC 6761): nothing leaves the machine, and the failing webhook can be looked at. */
const WEBHOOK_URL = 'https://receiver.invalid/subledger';
const MONTHS_MS = 14 * 30.4 * 86_400_000;
/** Low enough for other work of the service to continue. */
const MAX_CONCURRENT = 6;
const SEED = 'demo';

/** The simulation creates no android purchases, whose store server would have to stay up. */
const noAndroid: AndroidPlayer = {
  plays: () => false,
  notify: () => Promise.resolve(),
  receipt: () => {
    throw new Error('the demo has no purchases in the android-store');
  },
};

/** Weekends have no rates of their own: conversions use those of the days before. */
const RATE_DAYS_BEFORE_MS = 7 * 86_400_000;

/** Returns rates for the currencies of the customers, which exist only while the past is played. */
export function createDemoRates({ from, until }: PastPeriod): Rates {
  const { days } = readEcbFile(createRateFile(SEED, from - RATE_DAYS_BEFORE_MS, until));
  return days.reduce(
    (rates, day) => ratesDecider.decide(day, rates).reduce(ratesDecider.evolve, rates),
    ratesDecider.initial(),
  );
}

export function createPastPeriod(nowMs: number): PastPeriod {
  return { from: Math.floor((nowMs - MONTHS_MS) / 1000) * 1000, until: nowMs };
}

/** Sets up the project in the past, because later reads refer to that time. */
export async function setUpDemoProject(
  context: SimulationContext,
  projectId: string,
  atMs: number,
): Promise<Omit<SimulatedProject, 'session'>> {
  const project = await populateProject(apiAt(context, atMs), projectId, null);
  context.signsFor(project.iosAppId);
  return project;
}

/** Plays the past, then creates a webhook and a purchase that it sends. Resolves when everything is in the read models. */
export async function playPast(
  context: SimulationContext,
  project: Omit<SimulatedProject, 'session'>,
  { from, until }: PastPeriod,
  { idle, waitForReactions, passDeadlines, during, onProgress }: PastPacing,
): Promise<void> {
  const { token = '' } = credentialsOf(context.asker);
  const session = { accessToken: token, refreshToken: '', expiresIn: 0 };
  const stage = {
    client: clientOf(context),
    project: { ...project, session },
    sign: context.sign,
    android: noAndroid,
    supportToken: () => Promise.resolve(token),
    waitForReactions,
  };
  const lifecycles = [
    ...createLifecycles(SEED, CUSTOMERS, { from, until }),
    ...createLifecycles(SEED, NEWEST_CUSTOMERS, { from: until - NEWEST_MS, until }, { firstIndex: CUSTOMERS }),
    ...createLifecycles(
      SEED,
      CUSTOMERS_ABROAD,
      { from, until },
      { firstIndex: CUSTOMERS + NEWEST_CUSTOMERS, storefronts: OTHER_STOREFRONTS },
    ),
  ];
  const total = lifecycles.reduce((sum, { events }) => sum + events.length, 0);
  let reached = from;
  let played = 0;
  const runExperiment = scheduleExperiment(until, project, (atMs) => apiAt(context, atMs));
  await playInOrder(lifecycles, until, {
    signal: context.signal,
    maxConcurrent: MAX_CONCURRENT,
    setTime: (atMs) => {
      reached = Math.max(reached, atMs);
    },
    onIdle: async () => {
      await idle();
      await during(reached, passDeadlines);
    },
    runPeriodicTasks: () => runExperiment(reached),
    play: async (turn) => {
      await play(turn, stage);
      onProgress(++played / total);
    },
  });
  await idle();
  await playRefundRequest(lifecycles, until, stage);
  await createWebhook(context, project.projectId);
  await purchaseIn(context, project.projectId, until);
}

async function createWebhook(context: SimulationContext, projectId: string): Promise<void> {
  const params = { path: { id: projectId } };
  const body = { name: 'Example of a failing receiver', url: WEBHOOK_URL, sendTestEvent: true };
  const api = clientOf(context).as(credentialsOf(context.asker));
  requireData(await api.POST('/v1/projects/{id}/webhooks', { params, body }));
}

export async function purchaseIn(
  context: SimulationContext,
  projectId: string,
  nowMs: number,
): Promise<SimulatedPurchase> {
  const client = clientOf(context);
  const as = { ...credentialsOf(context.asker), projectId };
  const apps = await client.as(as).GET('/v1/projects/{id}/apps', { params: { path: { id: projectId } } });
  const app = requireData(apps).items.find((a) => a.platform === 'ios' && a.bundleId === BUNDLE_ID);
  if (!app?.notificationUrl) {
    throw new Rejection(
      'conflict',
      'demo-app-gone',
      `the app ${BUNDLE_ID} of this project was deleted; create another demo`,
    );
  }
  context.signsFor(app.id);
  const notificationPath = new URL(app.notificationUrl).pathname;
  return playPurchase(client, context.sign, { appId: app.id, notificationPath, as, nowMs });
}

/** Returns a client whose requests have that time (UTC ms). */
function apiAt(context: SimulationContext, atMs: number) {
  const api = clientOf(context).as(credentialsOf(context.asker));
  api.use({
    onRequest: ({ request: { headers } }) => {
      for (const [name, value] of Object.entries(context.extra)) headers.set(name, value);
      headers.set(AT_HEADER, String(atMs));
    },
  });
  return api;
}

function clientOf({ url, signal, extra }: SimulationContext) {
  return createClient(url, signal, extra);
}

function credentialsOf({ authorization, apiKey }: DemoCaller): Credentials {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  return { ...(token !== undefined && { token }), ...(apiKey !== undefined && { key: apiKey }) };
}
