// The log-in on the memory adapters, with a clock of its own and cuts wherever a case wants them.
import { randomBytes } from 'node:crypto';
import { createAccessTokens } from '../../../src/adapters/keys/access-tokens.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore, Write } from '../../../src/adapters/documents/port.js';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { createMemoryLog } from '../../adapters/event-log/memory.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import type { Passwords } from '../../../src/adapters/passwords/port.js';
import { systemRuntime, type Runtime } from '../../../src/adapters/runtime.js';
import { createDataKeys, dataKeyCollection, type MasterKeys } from '../../../src/adapters/keys/vault.js';
import { authCollections, createAuth, type Auth } from '../../../src/commands/accounts/auth.js';
import type { AuthOptions } from '../../../src/commands/accounts/auth-context.js';
import type { Deps, Requester } from '../../../src/commands/handling/deps.js';
import { createKeyedMutex } from '../../../src/commands/handling/keyed-mutex.js';
import { createBacklog } from '../../../src/commands/stores/inbox/backlog.js';
import { createCertificateStore } from '../../../src/commands/stores/inbox/certificates.js';
import { createBurstPriority } from '../../../src/commands/handling/burst-priority.js';
import { createOpenSessions } from '../../../src/commands/accounts/session-records.js';
import { createTokenVersions } from '../../../src/commands/accounts/passwords.js';
import { createStateCache } from '../../../src/commands/handling/state-cache.js';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { keyedHash } from '../../../src/domain/ids.js';
import { ratesDecider } from '../../../src/domain/rates/rates.js';
import { projectDecider } from '../../../src/domain/project/decide.js';
import { activityDecider } from '../../../src/domain/subscriber/state/activity.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';

export const START = Date.UTC(2026, 10, 20, 10);
export const SECOND = 1000;
export const DAY = 24 * 60 * 60 * SECOND;

/** Thrown where a case cuts. */
export class Cut extends Error {}

export type Rig = {
  readonly auth: Auth;
  readonly deps: Deps;
  readonly clock: { now: number };
  readonly accessTokens: ReturnType<typeof createAccessTokens>;
  /** Throws where a case wants a crash; replaced by the case. */
  readonly cuts: { onWrite: (write: Write) => void; onAppend: (when: 'before' | 'after') => void };
  readonly by: () => Requester;
  /** Another process on the same log and documents. */
  restart(options?: Partial<AuthOptions>): Rig;
  events(): Promise<RecordedEvent[]>;
};

export async function openRig(passwords: Passwords, options: Partial<AuthOptions> = {}): Promise<Rig> {
  const clock = { now: START };
  const cuts: Rig['cuts'] = { onWrite: () => undefined, onAppend: () => undefined };
  const now = () => clock.now;
  const runtime: Runtime = { ...systemRuntime(), now, elapsed: now, sleep: async () => undefined };
  const docs = createMemoryDocuments({ onWrite: (write) => cuts.onWrite(write) });
  await docs.ensure([dataKeyCollection, ...authCollections]);
  const masters: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 1) }];
  const keys = createDataKeys(docs, masters, runtime);
  const memory = createMemoryLog({ codec: createCodec(vocabulary, { keys, randomBytes }) });
  const log: EventLog = {
    ...memory,
    append: async (...args) => {
      cuts.onAppend('before');
      const appended = await memory.append(...args);
      cuts.onAppend('after');
      return appended;
    },
  };
  const start = (more: Partial<AuthOptions>): Rig => {
    const deps = depsOn(log, docs, runtime, masters);
    const versions = createTokenVersions(docs, runtime);
    const secret = 'x'.repeat(32);
    const sessions = createOpenSessions(docs, runtime);
    const { of: versionOf } = versions;
    const accessTokens = createAccessTokens({ secret, ttlSeconds: 3600, runtime, versionOf, isOpen: sessions.has });
    const common = { passwords, accessTokens, registration: 'open', refreshTtlSeconds: 30 * 86_400 } as const;
    const { forget: onSessionEnd } = sessions;
    const auth = createAuth(deps, { ...common, onSessionEnd, onTokensEnd: versions.forget, ...more });
    const by = (): Requester => ({ actor: { kind: 'system', id: 'http' }, requestId: runtime.newId('req') });
    return { auth, deps, clock, accessTokens, cuts, by, restart: (again = {}) => start(again), events };
  };
  const events = async () => {
    for await (const feed of log.follow({
      after: 'start',
      families: ['user'],
      max: 10_000,
      signal: new AbortController().signal,
    })) {
      return feed.events;
    }
    return [];
  };
  return start(options);
}

/** No limit to refreshing. */
export const anybody = (): Promise<void> => Promise.resolve();

function depsOn(log: EventLog, docs: DocStore, runtime: Runtime, masters: MasterKeys): Deps {
  return {
    log,
    docs,
    runtime,
    hash: keyedHash(Buffer.alloc(32, 2)),
    dataKeys: createDataKeys(docs, masters, runtime),
    projects: createStateCache(log, projectDecider),
    catalogs: createStateCache(log, catalogDecider),
    rates: createStateCache(log, ratesDecider),
    activities: createStateCache(log, activityDecider),
    mutex: createKeyedMutex(),
    burst: createBurstPriority(runtime),
    backlog: createBacklog(),
    certificates: createCertificateStore(),
    findByAccountToken: async () => ({ attributeOf: [], receiptsOf: [], lines: [] }),
    findRecentCharges: async () => ({ transactionIds: [] }),
    findTokensOfOrder: async () => [],
  };
}
