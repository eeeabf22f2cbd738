// `subledger demo`: runs a separate service and simulated stores, which send whole customer lifecycles to it over HTTP.
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { pino } from 'pino';
import { z } from 'zod';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import { readEcbFile, type EcbFile } from '../../adapters/rates/ecb-file.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { importRates } from '../../commands/catalog/exchange-rates.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { startService, type Service } from '../../main.js';
import { createAndroidPlayer } from '#simulator/android-store/play.js';
import { openAndroidStore, type SimulatedAndroidStore } from '#simulator/android-store/server.js';
import { createClient, type Client } from '#simulator/client.js';
import type { Lifecycle } from '#simulator/lifecycle-events.js';
import { createCertificateAuthority, type CertificateAuthority } from '#simulator/ios-store/certificate-authority.js';
import { isStoreEvent, play as playTurn, type PlaybackContext } from '#simulator/ios-store/play.js';
import { BUNDLE_ID } from '#simulator/offers.js';
import { playRefundRequest } from '#simulator/ios-store/refund-request.js';
import { createLifecycles, findMostVariedLifecycle, type TimeRange } from '#simulator/lifecycles.js';
import { OTHER_STOREFRONTS } from '#simulator/markets.js';
import { setUpProject, type SimulatedProject } from '#simulator/project.js';
import { createRateFile } from '#simulator/rates.js';
import { playInOrder, type Turn } from '#simulator/schedule.js';
import { scheduleExperiment } from '#simulator/selling.js';
import { monthlyMoney, demoReport, runningNotice } from './report.js';
import { createDemoClock, type DemoClock } from './clock.js';
import { createSupportToken } from './support-token.js';
import { webhookLine, startDemoReceiver, tryWebhook, type DemoWebhook } from './webhook.js';
import { fail } from '../support/outcome.js';
import { startProgressBar } from '../support/progress-bar.js';
import { readCustomerTimeline } from '../timeline/customer-timeline.js';

export type DemoOptions = {
  readonly customers: number;
  readonly months: number;
  /** The same seed generates the same lifecycles. */
  readonly seed: string;
  /** Exits after printing. */
  readonly exit?: true;
};

const EXIT_INTERRUPTED = 130;
/** Maximum session lifetime that the service accepts from a store. */
const DAY_SECONDS = 86_400;
/** Customers who pay in other currencies, for each customer who pays in US dollars. */
const SHARE_ABROAD = 0.15;

export async function demo(options: DemoOptions): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'subledger-demo-'));
  const stopping = new AbortController();
  // Every request and every wait listens to this signal; this is not a leak.
  setMaxListeners(0, stopping.signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const problem = await runDemo(options, scratch, stopping.signal).then(
    () => null,
    (err: unknown) => ({ err }),
  );
  rmSync(scratch, { recursive: true, force: true });
  if (problem && !stopping.signal.aborted) fail(problem.err);
  process.exit(problem ? EXIT_INTERRUPTED : 0);
}

async function runDemo(options: DemoOptions, scratch: string, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  const from = DateTime.fromMillis(now, { zone: 'utc' }).minus({ months: options.months }).toMillis();
  const authority = await authoritySince(new Date(from));
  // The simulated clock runs through months in seconds: an hourly token would be requested at each poll.
  const android = await openAndroidStore({ packageNames: [BUNDLE_ID], sessionSeconds: DAY_SECONDS });
  const config = configOf({ ...process.env, ...android.settings }, scratch, authority);
  const level = process.env['LOG_LEVEL'] ? config.LOG_LEVEL : 'error';
  const clock = createDemoClock(from);
  const logger = pino({ level }, pino.destination(2));
  const service = await startService(config, systemRuntime(clock.now), logger, {
    endsFrom: clock.released,
    around: ({ meta }, handle) => clock.during(Date.parse(meta.recordedAt), handle),
  });
  await service.ready;
  const webhook = await startDemoReceiver((one) => process.stdout.write(`webhook     ${webhookLine(one)}\n`));
  try {
    const report = await simulate(
      service,
      { authority, android, clock, seed: options.seed, from, until: now },
      lifecyclesOf(options, { from, until: now }),
      webhook,
      signal,
    );
    const summary = { ...report, months: options.months, dataDir: process.env['DATA_DIR'] ? config.DATA_DIR : null };
    process.stdout.write(demoReport(summary));
    if (options.exit) return;
    process.stdout.write(`\n${runningNotice(summary)}`);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  } finally {
    await service.stop();
    await android.close();
    await webhook.receiver.stop();
  }
}

/** Adds customers who pay in other currencies, so that the others are the same with and without them. */
function lifecyclesOf({ seed, customers }: DemoOptions, span: TimeRange): readonly Lifecycle[] {
  const abroad = { firstIndex: customers, storefronts: OTHER_STOREFRONTS };
  return [
    ...createLifecycles(seed, customers, span),
    ...createLifecycles(seed, Math.round(customers * SHARE_ABROAD), span, abroad),
  ];
}

type SimulationContext = {
  readonly authority: CertificateAuthority;
  readonly android: SimulatedAndroidStore;
  readonly clock: DemoClock;
  readonly seed: string;
  /** Start of the lifecycles and current time, UTC ms. */
  readonly from: number;
  readonly until: number;
};

async function simulate(
  service: Service,
  world: SimulationContext,
  lifecycles: readonly Lifecycle[],
  webhook: DemoWebhook,
  signal: AbortSignal,
) {
  const client = createClient(service.url ?? '', signal);
  const login = {
    email: `demo-${Date.now().toString(36)}@example.com`,
    password: randomBytes(12).toString('base64url'),
  };
  const { clock, android: store } = world;
  const project = await setUpProject(client, login, store.identity.keyFile());
  const android = createAndroidPlayer({ store, client, notificationPath: project.androidNotificationPath });
  const { log, hash } = service.services.deps;
  const headBefore = Number(await log.head());
  const startedAt = performance.now();
  const bar = startProgressBar(
    'play',
    lifecycles.reduce((sum, lifecycle) => sum + lifecycle.events.length, 0),
    'lifecycle events',
  );
  let notifications = 0;
  const { sign } = world.authority;
  const supportToken = createSupportToken(client, login, project, clock.now());
  const publishRates = ratePublisher(service, readEcbFile(createRateFile(world.seed, world.from, world.until)));
  await publishRates(clock.now());
  const runExperiment = scheduleExperiment(world.until, project, () => client.as({ key: project.secretKey }));
  const { waitForReactions } = service;
  const stage: PlaybackContext = { client, project, sign, android, supportToken, waitForReactions };
  const pace = {
    signal,
    maxConcurrent: 48,
    setTime: (atMs: number) => clock.reach(atMs),
    onIdle: async () => {
      await service.idle();
      await service.passDeadlines();
    },
    runPeriodicTasks: async () => {
      await publishRates(clock.now());
      await runExperiment(clock.now());
      // A session expires after a month without use.
      await supportToken(clock.now());
    },
    play: async (turn: Turn) => {
      await playTurn(turn, stage);
      if (isStoreEvent(turn.event)) notifications++;
      bar.step();
    },
  };
  await playInOrder(lifecycles, world.until, pace).finally(() => bar.stop());
  await service.idle();
  await playRefundRequest(lifecycles, world.until, stage);
  notifications++;
  await service.idle();
  clock.release();
  const seconds = (performance.now() - startedAt) / 1000;
  const events = Number(await log.head()) - headBefore;
  const chosen = findMostVariedLifecycle(lifecycles)?.appUserId;
  const timeline = chosen ? await readCustomerTimeline({ log, hash }, project.projectId, chosen) : null;
  const customers = await countCustomers(client, project);
  const money = await monthlyMoney(client, project);
  const sent = webhookLine(await tryWebhook(client, project, webhook));
  const report = { customers, notifications, events, seconds, money, timeline, webhook: sent };
  return { url: client.url, login, project, ...report };
}

/** Imports the rates published by the central bank so far, as `subledger rates import` does on a running service. */
function ratePublisher({ services: { deps } }: Service, { days }: EcbFile): (nowMs: number) => Promise<void> {
  let waiting = days.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  return async (nowMs) => {
    const today = utcDay(isoFromMs(nowMs));
    const published = waiting.filter(({ day }) => day <= today);
    waiting = waiting.filter(({ day }) => day > today);
    if (published.length > 0) await importRates(deps, published, deps.runtime.newId('imp'));
  };
}

/** Creates certificates that are valid before their first signature. */
function authoritySince(date: Date): Promise<CertificateAuthority> {
  const valid = { notBefore: DateTime.fromJSDate(date).minus({ days: 1 }).toJSDate() };
  return createCertificateAuthority({ root: valid, intermediate: valid, leaf: valid });
}

function configOf(
  env: Readonly<Record<string, string | undefined>>,
  scratch: string,
  authority: CertificateAuthority,
): Config {
  const root = join(scratch, 'root.pem');
  writeFileSync(root, authority.rootPem);
  return readConfig({
    ...env,
    DATA_DIR: env['DATA_DIR'] || join(scratch, 'data'),
    PORT: env['PORT'] || '0',
    ROLES: 'http,projector,worker',
    IOS_STORE_ROOT_CERTIFICATES: root,
    // The demo itself causes the load.
    RATE_LIMITS: 'off',
    // The webhook receiver uses HTTP too.
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOW_CIDRS: [env['EGRESS_ALLOW_CIDRS'], '127.0.0.1/32'].filter(Boolean).join(),
  });
}

const page = z.object({ items: z.array(z.unknown()), nextPage: z.string().nullable() });

/** Returns the number of customers that the service lists: its result, not the number of simulated lifecycles. */
async function countCustomers(client: Client, { projectId, secretKey }: SimulatedProject): Promise<number> {
  let count = 0;
  for (let path: string | null = `/v1/projects/${projectId}/customers?limit=100`; path !== null;) {
    const { items, nextPage }: z.output<typeof page> = await client.ask(page, 'GET', path, { as: { key: secretKey } });
    count += items.length;
    path = nextPage;
  }
  return count;
}
