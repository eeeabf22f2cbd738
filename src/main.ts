// The composition root: engine, commands, read models, workers and HTTP are put together here and nowhere else.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAccessTokens } from './adapters/access-tokens.js';
import { openEmbedded, secretFile, type Engine } from './adapters/embedded.js';
import { trustProxyOf, type Config } from './adapters/config.js';
import { loadRootCertificates } from './adapters/ios-store/root-certificates.js';
import { createIosSignedData } from './adapters/ios-store/signed-data.js';
import { namingKey } from './adapters/naming.js';
import { createPasswords } from './adapters/passwords/worker.js';
import type { Runtime } from './adapters/runtime.js';
import type { MasterKeys } from './adapters/vault.js';
import { authCollections, createAuth } from './commands/auth.js';
import { createLanes } from './commands/lanes.js';
import { createTokenVersions } from './commands/passwords.js';
import type { Deps } from './commands/deps.js';
import { createStateCache } from './commands/state-cache.js';
import { storeTokenCollection } from './commands/store-tokens.js';
import { catalogDecider } from './domain/catalog/catalog.js';
import { keyedHash } from './domain/ids.js';
import { projectDecider } from './domain/project/project.js';
import { createApp } from './http/app.js';
import type { Services } from './http/services.js';
import { createViewCache } from './http/view-cache.js';
import { customers, normalizeTerm, type TermDoc } from './projections/customers.js';
import { createProgress } from './projections/progress.js';
import { projections } from './projections/registry.js';
import { createServing, servingCollection } from './projections/serving.js';
import { createViews, type Views } from './projections/views.js';
import { runDeadlines } from './workers/deadlines.js';
import { inboxReaction } from './workers/inbox.js';
import { ownershipReaction } from './workers/ownership.js';
import { runProjector } from './workers/projector.js';
import { cursorCollection, parkedEventCollection, runReaction } from './workers/reaction.js';

export type Service = {
  readonly services: Services;
  /** `http://host:port`, once it listens. */
  readonly url: string | null;
  /** Resolves when every fact appended so far has been taken up by inbox, read models and reactions. For tests and the demo. */
  settled(): Promise<void>;
  /** Stops taking requests, finishes what is under way, saves cursors, closes the files. */
  stop(): Promise<void>;
};

const DRAIN_POLL_MS = 50;

/** Starts the roles of the configuration; resolves when they are ready. Throws `DirectoryInUse` and `CannotOpen`. */
export async function startService(config: Config, runtime: Runtime, logger: Logger): Promise<Service> {
  const engine = await openEmbedded(config.DATA_DIR, () => mastersOf(config, runtime, logger), runtime);
  try {
    return await startOn(engine, config, runtime, logger);
  } catch (err) {
    await engine.close();
    throw err;
  }
}

async function startOn(engine: Engine, config: Config, runtime: Runtime, logger: Logger): Promise<Service> {
  const { log, docs, dataKeys } = engine;
  const stopping = new AbortController();
  await docs.ensure([servingCollection, cursorCollection, parkedEventCollection, storeTokenCollection]);
  const deps: Deps = {
    log,
    docs,
    runtime,
    hash: keyedHash(await namingKey(engine)),
    dataKeys,
    projects: createStateCache(log, projectDecider),
    catalogs: createStateCache(log, catalogDecider),
    lanes: createLanes(),
  };
  const serving = createServing(docs, runtime);
  const views = createViews(docs, serving);
  const progress = createProgress();
  await docs.ensure(authCollections);
  const passwords = createPasswords();
  const accessTokens = createAccessTokens({
    secret: jwtSecretOf(config, runtime, logger),
    ttlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
    runtime,
    versionOf: createTokenVersions(docs, runtime).of,
  });
  const auth = createAuth(deps, {
    passwords,
    accessTokens,
    registration: config.REGISTRATION,
    refreshTtlSeconds: config.REFRESH_TOKEN_TTL_SECONDS,
  });
  let publicUrl = config.PUBLIC_URL?.replace(/\/$/, '') ?? '';
  const services: Services = {
    deps,
    runtime,
    log: logger,
    views,
    cached: createViewCache(views, runtime),
    progress,
    auth,
    accessTokens,
    publicUrl: () => publicUrl,
    iosSignedData: createIosSignedData({
      roots: loadRootCertificates(config.IOS_STORE_ROOT_CERTIFICATES),
      onlineChecks: config.IOS_STORE_ONLINE_CHECKS,
      now: () => runtime.now(),
    }),
  };

  const state = { isReady: false, isDraining: false };
  const has = (role: Config['ROLES'][number]) => config.ROLES.includes(role);
  const common = { log, docs, runtime, logger, progress };
  const running: Promise<void>[] = [];
  if (has('projector')) {
    await new Promise<void>((resolve) => {
      running.push(runProjector({ ...common, serving, projections }, stopping.signal, resolve));
    });
  }
  if (has('worker')) {
    const reactions = [inboxReaction(deps, findByAccountToken(views)), ownershipReaction(deps)];
    running.push(...reactions.map((reaction) => runReaction(reaction, common, stopping.signal)));
    const slackMs = config.SETTLE_SLACK_SECONDS * 1000;
    running.push(runDeadlines({ deps, views, progress, logger, slackMs }, stopping.signal));
  }
  const isReady = () => state.isReady && !state.isDraining;
  const server = has('http')
    ? await listen(createApp(services, { isReady, isDraining: () => state.isDraining }, trustProxyOf(config)), config)
    : null;
  const url = server ? `http://${config.HOST}:${(server.address() as AddressInfo).port}` : null;
  publicUrl ||= url ?? '';
  state.isReady = true;

  const settled = async () => {
    const head = await log.head();
    const never = new AbortController().signal;
    if (has('worker')) await progress.wait(['inbox', 'ownership'], head, never);
    const names = projections.map((p) => p.name);
    if (has('projector')) await progress.wait(names, await log.head(), never);
  };
  const stop = async () => {
    state.isDraining = true;
    if (server) await drain(server, runtime);
    stopping.abort();
    await Promise.all(running);
    await auth.settled();
    await passwords.close();
    await engine.close();
  };
  return { services, url, settled, stop };
}

function listen(app: Parameters<typeof createServer>[1], config: Config): Promise<Server> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 }, app);
  server.maxHeadersCount = 100;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, () => resolve(server));
  });
}

/** Requests under way are answered; connections that keep alive without one are closed. */
async function drain(server: Server, runtime: Runtime): Promise<void> {
  let isClosed = false;
  server.close(() => (isClosed = true));
  while (!isClosed) {
    server.closeIdleConnections();
    await runtime.sleep(DRAIN_POLL_MS);
  }
}

function mastersOf(config: Config, runtime: Runtime, logger: Logger): MasterKeys {
  if (config.MASTER_KEY) return config.MASTER_KEY;
  const made = secretFile(config.DATA_DIR, 'master.key', () => runtime.randomBytes(32).toString('base64'));
  if (made.isNew)
    logger.warn({ file: `${config.DATA_DIR}/master.key` }, 'made a master key; back it up apart from the data');
  return [{ id: 'k1', key: Buffer.from(made.value, 'base64') }];
}

function jwtSecretOf(config: Config, runtime: Runtime, logger: Logger): string {
  if (config.JWT_SECRET !== undefined) return config.JWT_SECRET;
  const made = secretFile(config.DATA_DIR, 'jwt.secret', () => runtime.randomBytes(48).toString('base64'));
  if (made.isNew) logger.warn({ file: `${config.DATA_DIR}/jwt.secret` }, 'made a secret for access tokens');
  return made.value;
}

function findByAccountToken(views: Views) {
  return async (projectId: string, token: string): Promise<string | null> => {
    const scan = { index: 'term', eq: [projectId, 'exact', normalizeTerm(token)], limit: 1 };
    const { rows } = await views.scanDerived<TermDoc>(customers, 'customer_terms', scan);
    const [row] = rows;
    return row ? ((await views.get(customers, row.doc.customerId))?.profile.appUserId ?? null) : null;
  };
}
