// `subledger demo`: a service of its own and the simulated stores, which play whole customer lives to it over HTTP.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import { pino } from 'pino';
import { z } from 'zod';
import { readConfig, type Config } from '../adapters/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { startService, type Service } from '../main.js';
import { createAndroidVoice } from '../simulator/android-store/play.js';
import { startAndroidStore, type SimulatedAndroidStore } from '../simulator/android-store/server.js';
import { createClient, type Client } from '../simulator/client.js';
import type { Life } from '../simulator/happenings.js';
import { createCertificateAuthority, type CertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { playLives } from '../simulator/ios-store/play.js';
import { BUNDLE_ID } from '../simulator/offers.js';
import { createLives, richestLife } from '../simulator/lives.js';
import { setUpProject, type SimulatedProject } from '../simulator/project.js';
import { monthlyMoney } from './demo-chart.js';
import { demoReport, goesOn } from './demo-report.js';
import { inOneLine, startDemoReceiver, tryWebhook, type DemoWebhook } from './demo-webhook.js';
import { fail } from './failure.js';
import { startProgressBar } from './progress-bar.js';
import { readStory } from './story.js';

export type DemoOptions = {
  readonly customers: number;
  readonly months: number;
  /** The same seed plays the same lives. */
  readonly seed: string;
  /** Ends after printing. */
  readonly exit?: true;
};

const EXIT_INTERRUPTED = 130;

export async function demo(options: DemoOptions): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'subledger-demo-'));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const problem = await play(options, scratch, stopping.signal).then(
    () => null,
    (err: unknown) => ({ err }),
  );
  rmSync(scratch, { recursive: true, force: true });
  if (problem && !stopping.signal.aborted) fail(problem.err);
  process.exit(problem ? EXIT_INTERRUPTED : 0);
}

async function play(options: DemoOptions, scratch: string, signal: AbortSignal): Promise<void> {
  const now = Date.now();
  const from = DateTime.fromMillis(now, { zone: 'utc' }).minus({ months: options.months }).toMillis();
  const authority = await authoritySince(new Date(from));
  const android = await startAndroidStore(BUNDLE_ID);
  const config = configOf({ ...process.env, ...android.settings }, scratch, authority);
  // Played in a minute, the past is long overdue: the clock would end each subscription before the store speaks of its renewal.
  const slack = { SETTLE_SLACK_SECONDS: Math.ceil((now - from) / 1000) + 86_400 };
  const level = process.env['LOG_LEVEL'] ? config.LOG_LEVEL : 'error';
  const service = await startService({ ...config, ...slack }, systemRuntime(), pino({ level }, pino.destination(2)));
  await service.ready;
  const webhook = await startDemoReceiver((one) => process.stdout.write(`webhook     ${inOneLine(one)}\n`));
  try {
    const report = await playOn(
      service,
      { authority, android },
      createLives(options.seed, options.customers, { from, until: now }),
      webhook,
      signal,
    );
    const shown = { ...report, months: options.months, dataDir: process.env['DATA_DIR'] ? config.DATA_DIR : null };
    process.stdout.write(demoReport(shown));
    if (options.exit) return;
    process.stdout.write(`\n${goesOn(shown)}`);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  } finally {
    await service.stop();
    await android.close();
    await webhook.receiver.stop();
  }
}

type Stores = { readonly authority: CertificateAuthority; readonly android: SimulatedAndroidStore };

async function playOn(
  service: Service,
  stores: Stores,
  lives: readonly Life[],
  webhook: DemoWebhook,
  signal: AbortSignal,
) {
  const client = createClient(service.url ?? '', signal);
  const login = {
    email: `demo-${Date.now().toString(36)}@example.com`,
    password: randomBytes(12).toString('base64url'),
  };
  const { sign } = stores.authority;
  const store = stores.android;
  const project = await setUpProject(client, login, store.identity.keyFile());
  const android = createAndroidVoice({ store, client, notificationPath: project.androidNotificationPath, signal });
  const { log, hash } = service.services.deps;
  const headBefore = Number(await log.head());
  const startedAt = performance.now();
  const bar = startProgressBar(
    'play',
    lives.reduce((sum, life) => sum + life.happenings.length, 0),
    'happenings',
  );
  let notifications = 0;
  const onPlayed = (isNotification: boolean) => {
    if (isNotification) notifications++;
    bar.step();
  };
  await playLives(lives, { client, project, sign, android, signal, onPlayed }).finally(() => bar.stop());
  await service.settled();
  const seconds = (performance.now() - startedAt) / 1000;
  const events = Number(await log.head()) - headBefore;
  const chosen = richestLife(lives)?.appUserId;
  const story = chosen ? await readStory({ log, hash }, project.projectId, chosen) : null;
  const customers = await countCustomers(client, project);
  const money = await monthlyMoney(client, project);
  const sent = inOneLine(await tryWebhook(client, project, webhook));
  const told = { customers, notifications, events, seconds, money, story, webhook: sent };
  return { url: client.url, login, project, ...told };
}

/** Certificates valid before the first thing that they sign. */
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
    // The load is our own.
    RATE_LIMITS: 'off',
    // So is the receiver.
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOW_CIDRS: [env['EGRESS_ALLOW_CIDRS'], '127.0.0.1/32'].filter(Boolean).join(),
  });
}

const page = z.object({ items: z.array(z.unknown()), nextPage: z.string().nullable() });

/** How many customers the service lists: what it made of the lives, not what was played. */
async function countCustomers(client: Client, { projectId, secretKey }: SimulatedProject): Promise<number> {
  let count = 0;
  for (let path: string | null = `/v1/projects/${projectId}/customers?limit=100`; path !== null;) {
    const { items, nextPage }: z.output<typeof page> = await client.ask(page, 'GET', path, { as: { key: secretKey } });
    count += items.length;
    path = nextPage;
  }
  return count;
}
