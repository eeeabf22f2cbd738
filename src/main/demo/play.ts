// Content of a demo project: its setup and its customers' past, or one purchase now. Loaded only with the first demo.
import { Rejection } from '../../domain/errors.js';
import type { DemoCaller, SimulatedPurchase } from '../../http/demo/demo.js';
import { createAndroidPlayer, type AndroidPlayer } from '#simulator/android-store/play.js';
import { requireData, AT_HEADER, createClient, type Credentials } from '#simulator/client.js';
import { play } from '#simulator/ios-store/play.js';
import type { SignPayload } from '#simulator/ios-store/payloads.js';
import { playPurchase } from '#simulator/ios-store/purchase.js';
import { BUNDLE_ID } from '#simulator/offers.js';
import { populateProject, type SimulatedProject } from '#simulator/project.js';
import { playRefundRequest } from '#simulator/ios-store/refund-request.js';
import { playInOrder } from '#simulator/schedule.js';
import { scheduleExperiment } from '#simulator/selling.js';
import type { OurCharge } from '../../domain/books/entries.js';
import type { DayRange } from '../../domain/books/report-values.js';
import type { DemoPlan } from './plan.js';
import { reportedMonths, writeSimulatedReport, type SimulatedReport } from './store-reports.js';

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

export type PastPacing = {
  readonly idle: () => Promise<void>;
  readonly waitForReactions: () => Promise<void>;
  readonly passDeadlines: () => Promise<void>;
  readonly during: <T>(atMs: number, work: () => T) => T;
  /** Returns the charges of the ios-store with money on one of the days. */
  readonly chargesIn: (days: DayRange) => Promise<readonly OurCharge[]>;
  /** Called with the played share of the past, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** Address that never resolves (RFC 6761): nothing leaves the machine, and the failing webhook can be looked at. */
const WEBHOOK_URL = 'https://receiver.invalid/subledger';
/** Without a store server, which would have to stay up, the simulation creates no android purchases. */
const noAndroid: AndroidPlayer = {
  plays: () => false,
  notify: () => Promise.resolve(),
  receipt: () => {
    throw new Error('the demo has no purchases in the android-store');
  },
};

/** Sets up the project in the past, because later reads refer to that time. */
export async function setUpDemoProject(
  context: SimulationContext,
  projectId: string,
  { from, android }: DemoPlan,
): Promise<SimulatedProject> {
  const serviceAccount = android === null ? null : android.identity.keyFile();
  const project = await populateProject(apiAt(context, from), projectId, serviceAccount);
  context.signsFor(project.iosAppId);
  return project;
}

/** Plays the past of the plan. Resolves when everything is in the read models. */
export async function playPast(
  context: SimulationContext,
  project: SimulatedProject,
  plan: DemoPlan,
  { idle, waitForReactions, passDeadlines, during, chargesIn, onProgress }: PastPacing,
): Promise<void> {
  const { from, until, lifecycles, android: store, onPeriod, onPlayed } = plan;
  const { token = '' } = credentialsOf(context.asker);
  const client = clientOf(context);
  const notificationPath = project.androidNotificationPath;
  const stage = {
    client,
    project,
    sign: context.sign,
    android: store === null ? noAndroid : createAndroidPlayer({ store, client, notificationPath }),
    supportToken: token,
    waitForReactions,
  };
  const total = lifecycles.reduce((sum, { events }) => sum + events.length, 0);
  let reached = from;
  let played = 0;
  const runExperiment = scheduleExperiment(until, project, (atMs) => apiAt(context, atMs));
  await playInOrder(lifecycles, until, {
    signal: context.signal,
    maxConcurrent: plan.maxConcurrent,
    setTime: (atMs) => {
      reached = Math.max(reached, atMs);
    },
    onIdle: async () => {
      await idle();
      await during(reached, passDeadlines);
    },
    runPeriodicTasks: async () => {
      await runExperiment(reached);
      await during(reached, () => onPeriod?.(reached));
    },
    play: async (turn) => {
      await play(turn, stage);
      onPlayed?.(turn);
      onProgress(++played / total);
    },
  });
  await idle();
  await playRefundRequest(lifecycles, until, stage);
  if (plan.hasFailingWebhook) {
    await createWebhook(context, project.projectId);
    await purchaseIn(context, project.projectId, until);
  }
  await idle();
  for (const period of reportedMonths(until)) {
    const report = writeSimulatedReport(await chargesIn(period), period);
    if (report) await addReport(context, project.projectId, report);
  }
  await idle();
}

async function addReport(
  { url, signal, asker }: SimulationContext,
  projectId: string,
  { fileName, text }: SimulatedReport,
): Promise<void> {
  const { token = '' } = credentialsOf(asker);
  const path = `${url}/v1/projects/${projectId}/books/reports?fileName=${fileName}`;
  const response = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: text,
    signal,
  });
  if (!response.ok) throw new Error(`${fileName} was refused: ${await response.text()}`);
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
