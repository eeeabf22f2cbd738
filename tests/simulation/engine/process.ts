// One process of a run: the whole service from its composition root, on adapters behind the fault injector.
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { readConfig, type Config } from '../../../src/adapters/configuration/config.js';
import type { Engine } from '../../../src/adapters/engine/engine.js';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { createDataKeys, dataKeyCollection, type MasterKeys } from '../../../src/adapters/keys/vault.js';
import { rewrapDataKeys } from '../../../src/adapters/keys/rewrap.js';
import type { OperatorRequests } from '../../../src/adapters/operator-requests/port.js';
import type { Outbound } from '../../../src/adapters/outbound/port.js';
import type { Passwords } from '../../../src/adapters/passwords/port.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { countInMemory } from '../../../src/adapters/rate-counters/memory.js';
import type { Runtime } from '../../../src/adapters/runtime.js';
import type { Stores } from '../../../src/commands/stores/store-integration.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';
import { createApp } from '../../../src/http/app.js';
import { createCompatApp } from '../../../src/http/compat/routes.js';
import { startOn, type Service } from '../../../src/main.js';
import { connectDocuments } from './documents.js';
import type { SharedLog } from './log.js';
import type { Timeline } from './timeline.js';
import type { Host, FaultInjector } from './fault-injector.js';

export type Installation = {
  readonly timeline: Timeline;
  readonly faults: FaultInjector;
  /** Factor of the pause between two rounds of each background loop. */
  readonly pace: number;
  readonly log: SharedLog;
  readonly docs: DocStore;
  /** True for several processes on shared servers, false for one process with embedded storage. */
  readonly isShared: boolean;
  readonly operator: OperatorRequests;
  /** Log lines of level `warn` and above, of all processes. */
  readonly logLines: string[];
  storesOf(host: Host): Stores;
  outboundOf(host: Host): Outbound;
  /** The changes of a mutation. */
  readonly interceptors: Interceptors;
};

/** Replaces ports of a process, to put a bug into the service from outside. */
export type Interceptors = {
  readonly log: (log: EventLog, host: Host) => EventLog;
  readonly docs: (docs: DocStore, host: Host) => DocStore;
  /** Documents that the chart ledgers read. */
  readonly charts: (docs: DocStore) => DocStore;
  readonly engine: (engine: Engine, host: Host) => Engine;
  readonly stores: (stores: Stores) => Stores;
  readonly env: Readonly<Record<string, string>>;
};

/** Requests to this host reach the compatibility API. */
export const SDK_HOST = 'sdk';

export type Process = {
  readonly host: Host;
  readonly app: RequestListener;
  readonly service: Service;
};

const MASTERS: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 7) }];
const SECRETS = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  JWT_SECRET: 'secret of a simulated run '.repeat(2),
};
const SERVERS = { EVENTSTORE_URL: 'esdb://simulated:2113', MONGODB_URL: 'mongodb://simulated/db' };
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

export function createConfig({ isShared, interceptors }: Pick<Installation, 'isShared' | 'interceptors'>): Config {
  const files = { DATA_DIR: '/nowhere/simulated' };
  const env = {
    ...files,
    ...SECRETS,
    ...(isShared && SERVERS),
    ROLES: 'projector,worker',
    RATE_LIMITS: 'off',
    PUBLIC_URL: 'https://simulated',
    REGISTRATION: 'open',
  };
  return readConfig({ ...env, ...interceptors.env });
}

/** Throws if a dependency is unavailable at the start; the supervisor then starts it again. */
export async function startProcess(installation: Installation, config: Config, host: Host): Promise<Process> {
  const { timeline, isShared, interceptors } = installation;
  const runtime = createHostRuntime(installation, host);
  const engine = interceptors.engine(await openEngine(installation, runtime, host), host);
  const logger = pino(
    { level: 'warn', base: null, timestamp: false },
    { write: (line) => void installation.logLines.push(`${host.name} ${line}`) },
  );
  const createExternalServices = () => ({
    stores: interceptors.stores(installation.storesOf(host)),
    prepareStore: () => undefined,
    close: () => Promise.resolve(),
    outbound: installation.outboundOf(host),
    operator: {
      requests: isShared ? noOperatorRequests : installation.operator,
      fileOf: (folder: string) => `/nowhere/${folder}`,
    },
  });
  const service = await startOn(engine, createExternalServices, config, runtime, logger, {
    passwords: plainTextPasswords,
  });
  const health = { hasCaughtUp: false, isDraining: false };
  void service.ready.then(() => {
    health.hasCaughtUp = true;
    timeline.record(`${host.name} is ready`);
  });
  const rest = createApp(service.services, health, {
    trustProxy: 0,
    corsOrigins: [],
    docs: { openApi: () => Buffer.alloc(0), viewer: () => Buffer.alloc(0) },
    dashboard: null,
  });
  const compat = createCompatApp(service.services, health, { trustProxy: 0 });
  const app: RequestListener = (req, res) => (req.headers.host === SDK_HOST ? compat(req, res) : rest(req, res));
  return { host, app, service };
}

async function openEngine(installation: Installation, runtime: Runtime, host: Host): Promise<Engine> {
  const { faults, isShared, interceptors } = installation;
  const kind = { isLocal: !isShared };
  const docs = interceptors.docs(connectDocuments(installation.docs, host, faults, kind), host);
  await docs.ensure([dataKeyCollection]);
  const dataKeys = createDataKeys(docs, MASTERS, runtime);
  const codec = createCodec(vocabulary, { keys: dataKeys, randomBytes: (size) => runtime.randomBytes(size) });
  return {
    log: interceptors.log(installation.log.connect(host, faults, codec, kind), host),
    docs,
    dataKeys,
    rewrapKeys: () => rewrapDataKeys(docs, MASTERS, runtime),
    isShared,
    openCounters: () => Promise.resolve(countInMemory),
    files: null,
    target: null,
    diskFree: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

/** Returns the runtime of a process: virtual time with the skew of its host, and seeded random numbers. */
export function createHostRuntime(
  { timeline, faults, pace }: Pick<Installation, 'timeline' | 'faults' | 'pace'>,
  host: Host,
): Runtime {
  const { random } = timeline;
  const randomBytes = (size: number) => Buffer.from(Array.from({ length: size }, () => random.whole(0, 255)));
  const now = () => timeline.now() + host.skewMs;
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        signal?.removeEventListener('abort', done);
        resolve();
      };
      signal?.addEventListener('abort', done);
      faults.wait(host, ms, done);
    });
  const randomText = (count: number, draw: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => CROCKFORD.charAt(draw(i))).join('');
  return {
    now,
    elapsed: () => timeline.elapsed(),
    sleep,
    pause: (_loop, ms, signal) => sleep(ms * pace, signal),
    turn: () => sleep(0),
    slice: () => Promise.resolve(),
    randomBytes,
    newId: (prefix) => {
      const ms = now();
      const time = randomText(10, (i) => Math.floor(ms / 32 ** (9 - i)) % 32);
      return `${prefix}_${time}${randomText(16, () => random.whole(0, 31))}`;
    },
  };
}

const noOperatorRequests: OperatorRequests = {
  pending: () => Promise.resolve([]),
  reply: () => Promise.resolve(),
  submit: () => Promise.resolve(),
  takeReply: () => Promise.resolve(undefined),
};

/** Plain passwords: the cost of a hash does not matter in a simulation. */
const plainTextPasswords: Passwords = {
  hash: (password) => Promise.resolve(`plain ${password}`),
  verify: (password, hash) => Promise.resolve(hash === `plain ${password}`),
  verifyDummy: () => Promise.resolve(false as const),
  isOutdated: () => false,
  close: () => Promise.resolve(),
};
