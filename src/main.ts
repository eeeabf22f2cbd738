// The composition root: engine, commands, read models, workers and HTTP are put together here and nowhere else.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { createAccessTokens } from './adapters/access-tokens.js';
import { trustProxyOf, type Config, type Role } from './adapters/config.js';
import { openEmbedded, type Engine } from './adapters/embedded.js';
import { loadRootCertificates } from './adapters/ios-store/root-certificates.js';
import { createIosSignedData } from './adapters/ios-store/signed-data.js';
import { namingKey } from './adapters/naming.js';
import { createPasswords } from './adapters/passwords/worker.js';
import type { Runtime } from './adapters/runtime.js';
import { jwtSecretOf, masterKeysOf } from './adapters/secrets.js';
import { authCollections, createAuth } from './commands/auth.js';
import { credentialCollection } from './commands/credentials.js';
import type { Deps } from './commands/deps.js';
import { createLanes } from './commands/lanes.js';
import { createTokenVersions } from './commands/passwords.js';
import { createStateCache } from './commands/state-cache.js';
import { storeTokenCollection } from './commands/store-tokens.js';
import { catalogDecider } from './domain/catalog/catalog.js';
import { keyedHash } from './domain/ids.js';
import { projectDecider } from './domain/project/decide.js';
import { createApp } from './http/app.js';
import { listen } from './http/listener.js';
import { createRefusals } from './http/refusals.js';
import type { Services } from './http/services.js';
import { createViewCache } from './http/view-cache.js';
import { findByAccountToken } from './projections/find-customer.js';
import { createProgress } from './projections/progress.js';
import { projections } from './projections/registry.js';
import { createServing, servingCollection } from './projections/serving.js';
import { createViews } from './projections/views.js';
import { runDeadlines } from './workers/deadlines.js';
import { endingsReaction } from './workers/endings.js';
import { inboxReaction } from './workers/inbox.js';
import { ownershipReaction } from './workers/ownership.js';
import { runProjector } from './workers/projector.js';
import { cursorCollection, parkedEventCollection, runReaction } from './workers/reaction.js';

export type Service = {
  readonly services: Services;
  /** `http://host:port`; null without the `http` role. */
  readonly url: string | null;
  /** Resolves once the read models have reached the head of the log; until then only stores and log-ins are served. */
  readonly ready: Promise<void>;
  /** Resolves when every fact appended so far has been taken up by the workers and the read models. */
  settled(): Promise<void>;
  /** Stops taking requests, finishes what is under way, saves cursors, closes the files. */
  stop(): Promise<void>;
};

const collections = [
  servingCollection,
  cursorCollection,
  parkedEventCollection,
  storeTokenCollection,
  credentialCollection,
  ...authCollections,
];

/** Starts the roles of the configuration. Throws `DirectoryInUse`, `CannotOpen`, `UnusableRootCertificates`, or why it cannot listen. */
export async function startService(config: Config, runtime: Runtime, logger: Logger): Promise<Service> {
  const roots = loadRootCertificates(config.IOS_STORE_ROOT_CERTIFICATES);
  const engine = await openEmbedded(config.DATA_DIR, () => masterKeysOf(config, runtime, logger), runtime);
  try {
    return await startOn(engine, config, roots, runtime, logger);
  } catch (err) {
    await engine.close();
    throw err;
  }
}

async function startOn(
  engine: Engine,
  config: Config,
  roots: readonly Buffer[],
  runtime: Runtime,
  logger: Logger,
): Promise<Service> {
  const { log, docs, dataKeys } = engine;
  await docs.ensure(collections);
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
    egress: { allowHttp: config.EGRESS_ALLOW_HTTP, allowCidrs: config.EGRESS_ALLOW_CIDRS },
    refusals: createRefusals(runtime),
    publicUrl: () => publicUrl,
    iosSignedData: createIosSignedData({
      roots,
      onlineChecks: config.IOS_STORE_ONLINE_CHECKS,
      now: () => runtime.now(),
    }),
  };

  const has = (role: Role) => config.ROLES.includes(role);
  const health = { hasCaughtUp: false, isDraining: false };
  const app = createApp(services, health, trustProxyOf(config));
  const listener = has('http') ? await listen(app, { host: config.HOST, port: config.PORT }, runtime) : null;
  publicUrl ||= listener?.url ?? '';

  const stopping = new AbortController();
  // Every wait of every loop listens to it; that is no leak.
  setMaxListeners(0, stopping.signal);
  const { signal } = stopping;
  const common = { log, docs, runtime, logger, progress };
  const running: Promise<void>[] = [];
  const ready = new Promise<void>((resolve) => {
    const caughtUp = () => {
      health.hasCaughtUp = true;
      resolve();
    };
    if (has('projector')) running.push(runProjector({ ...common, serving, projections }, signal, caughtUp));
    else caughtUp();
    // A stop in the middle of catching up: whoever waits goes on and finds the signal aborted.
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const find = (projectId: string, token: string) => findByAccountToken(views, projectId, token);
  const reactions = has('worker') ? [inboxReaction(deps, find), ownershipReaction(deps), endingsReaction(deps)] : [];
  for (const reaction of reactions) running.push(runReaction(reaction, common, signal));
  const slackMs = config.SETTLE_SLACK_SECONDS * 1000;
  if (has('worker')) running.push(ready.then(() => runDeadlines({ deps, views, logger, slackMs }, signal)));

  return {
    services,
    url: listener?.url ?? null,
    ready,
    settled: async () => {
      const taken = reactions.map((r) => r.name);
      await progress.wait(taken, await log.head(), signal);
      const shown = has('projector') ? projections.map((p) => p.name) : [];
      await progress.wait(shown, await log.head(), signal);
    },
    stop: async () => {
      health.isDraining = true;
      await listener?.drain();
      stopping.abort();
      await Promise.all(running);
      await auth.settled();
      await passwords.close();
      await engine.close();
    },
  };
}
