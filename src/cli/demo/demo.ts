// `subledger demo`: runs a service on a directory of its own, and plays a demo project in it with more customers and both stores.
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { pino } from 'pino';
import { z } from 'zod';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { importRates } from '../../commands/catalog/exchange-rates.js';
import type { PublishRates } from '../../domain/rates/rates.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { startService, type Service } from '../../main.js';
import { createDailyRates, lifecyclesAbroad, ratesOf, type DemoPlan } from '../../main/demo/plan.js';
import { openAndroidStore, type SimulatedAndroidStore } from '#simulator/android-store/server.js';
import { createClient, requireData, type Client } from '#simulator/client.js';
import { isStoreEvent } from '#simulator/ios-store/play.js';
import { BUNDLE_ID } from '#simulator/offers.js';
import { createLifecycles, findMostVariedLifecycle } from '#simulator/lifecycles.js';
import type { SimulatedProject } from '#simulator/project.js';
import { monthlyMoney, demoReport, runningNotice } from './report.js';
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
/** Maximum lifetime of a session with a store, and of an access token. */
const DAY_SECONDS = 86_400;
/** Customers who pay in other currencies, for each customer who pays in US dollars. */
const SHARE_ABROAD = 0.15;
const MAX_CONCURRENT = 48;

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
  // The simulated time runs through months in seconds: an hourly token would be requested at each poll.
  const android = await openAndroidStore({ packageNames: [BUNDLE_ID], sessionSeconds: DAY_SECONDS });
  const config = configOf({ ...process.env, ...android.settings }, scratch);
  const level = process.env['LOG_LEVEL'] ? config.LOG_LEVEL : 'error';
  const service = await startService(config, systemRuntime(), pino({ level }, pino.destination(2)));
  signal.addEventListener('abort', () => void service.demo.stop(), { once: true });
  await service.ready;
  const webhook = await startDemoReceiver((one) => process.stdout.write(`webhook     ${webhookLine(one)}\n`));
  try {
    const report = await simulate(service, options, android, webhook, signal);
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

async function simulate(
  service: Service,
  options: DemoOptions,
  android: SimulatedAndroidStore,
  webhook: DemoWebhook,
  signal: AbortSignal,
) {
  const client = createClient(service.url ?? '', signal);
  const { log, hash } = service.services.deps;
  const { login, owner } = await registerOwner(service, client);
  const plan = planOf(options, service, android);
  const happenings = plan.lifecycles.flatMap((lifecycle) => lifecycle.events);
  const bar = startProgressBar('play', happenings.length, 'lifecycle events');
  try {
    const { project, played } = await service.demo.play(owner, { ...plan, onPlayed: () => bar.step() });
    const headBefore = Number(await log.head());
    const startedAt = performance.now();
    await played;
    const seconds = (performance.now() - startedAt) / 1000;
    bar.stop();
    const events = Number(await log.head()) - headBefore;
    const chosen = findMostVariedLifecycle(plan.lifecycles)?.appUserId;
    const timeline = chosen ? await readCustomerTimeline({ log, hash }, project.projectId, chosen) : null;
    const customers = await countCustomers(client, project);
    const money = await monthlyMoney(client, project);
    const sent = webhookLine(await tryWebhook(client, project, webhook));
    // Those of the lifecycles, and a request for a refund.
    const notifications = happenings.filter(isStoreEvent).length + 1;
    return {
      url: client.url,
      login,
      project,
      customers,
      notifications,
      events,
      seconds,
      money,
      timeline,
      webhook: sent,
    };
  } finally {
    bar.stop();
  }
}

/** Returns a plan whose customers pay in US dollars, with additional ones who do not: the others are the same with and without them. */
function planOf({ seed, customers, months }: DemoOptions, service: Service, android: SimulatedAndroidStore): DemoPlan {
  const until = Date.now();
  const from = DateTime.fromMillis(until, { zone: 'utc' }).minus({ months }).toMillis();
  const span = { from, until };
  const days = createDailyRates(seed, span);
  return {
    ...span,
    lifecycles: [
      ...createLifecycles(seed, customers, span),
      ...lifecyclesAbroad(seed, Math.round(customers * SHARE_ABROAD), span, customers),
    ],
    rates: ratesOf(days),
    maxConcurrent: MAX_CONCURRENT,
    android,
    hasFailingWebhook: false,
    onPeriod: ratePublisher(service, days),
  };
}

/** Imports the rates published by the central bank so far, as `subledger rates import` does on a running service. */
function ratePublisher({ services: { deps } }: Service, days: readonly PublishRates[]) {
  let waiting = days;
  return async (nowMs: number): Promise<void> => {
    const today = utcDay(isoFromMs(nowMs));
    const published = waiting.filter(({ day }) => day <= today);
    waiting = waiting.filter(({ day }) => day > today);
    if (published.length > 0) await importRates(deps, published, deps.runtime.newId('imp'));
  };
}

async function registerOwner({ services: { deps } }: Service, client: Client) {
  const login = {
    email: `demo-${Date.now().toString(36)}@example.com`,
    password: randomBytes(12).toString('base64url'),
  };
  const { user, accessToken } = requireData(await client.as({}).POST('/auth/register', { body: login }));
  const by = { actor: { kind: 'user' as const, id: user.id }, requestId: deps.runtime.newId('req') };
  return { login, owner: { authorization: `Bearer ${accessToken}`, apiKey: undefined, userId: user.id, by } };
}

function configOf(env: Readonly<Record<string, string | undefined>>, scratch: string): Config {
  return readConfig({
    ...env,
    // Simulated customers and rates never go to the servers of an installation.
    ...{ EVENTSTORE_URL: '', EVENTSTORE_URL_FILE: '', MONGODB_URL: '', MONGODB_URL_FILE: '' },
    DATA_DIR: env['DATA_DIR'] || join(scratch, 'data'),
    PORT: env['PORT'] || '0',
    ROLES: 'http,projector,worker',
    ACCESS_TOKEN_TTL_SECONDS: String(DAY_SECONDS),
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
