// Dependencies of commands, created once by the composition root.
import type { DocStore } from '../../adapters/documents/port.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { DataKeys, KeyEraser } from '../../adapters/event-log/sealing.js';
import type { Catalog } from '../../domain/catalog/catalog.js';
import type { Actor, StreamName } from '../../domain/envelope.js';
import type { KeyedHash } from '../../domain/ids.js';
import type { Project } from '../../domain/project/state.js';
import type { SentAccountToken } from '../../domain/purchase/account-token.js';
import type { Rates } from '../../domain/rates/rates.js';
import type { AppStore } from '../../domain/store-kinds.js';
import type { Activity } from '../../domain/subscriber/state/activity.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import type { CertificateStore } from '../stores/inbox/certificates.js';
import type { Backlog } from '../stores/inbox/backlog.js';
import type { KeyedMutex } from './keyed-mutex.js';
import type { BurstPriority } from './burst-priority.js';
import type { CommandContext, LoadedState } from './run-command.js';
import type { StateCache } from './state-cache.js';

export type Deps = {
  readonly log: EventLog;
  /** States of the customers that a long series of commands is about, for its duration; absent for all others. Belongs to {@link log}. */
  readonly keptStates?: KeptStates;
  readonly docs: DocStore;
  readonly runtime: Runtime;
  /** Hash keyed by the log's naming key, for stream names and derived ids. */
  readonly hash: KeyedHash;
  readonly dataKeys: DataKeys & KeyEraser;
  readonly projects: StateCache<Project | null>;
  readonly catalogs: StateCache<Catalog>;
  readonly activities: StateCache<Activity>;
  readonly rates: StateCache<Rates>;
  readonly mutex: KeyedMutex;
  /** Priority of receiving notifications over processing them. */
  readonly burst: BurstPriority;
  readonly backlog: Backlog;
  readonly certificates: CertificateStore;
  readonly findByAccountToken: FindByAccountToken;
  readonly findRecentCharges: FindRecentCharges;
  readonly findTokensOfOrder: FindTokensOfOrder;
};

/** States of subscribers, as of their last use. */
type KeptStates = Pick<Map<StreamName, LoadedState<Subscriber>>, 'get'> & {
  set(stream: StreamName, state: LoadedState<Subscriber>): unknown;
};

/** Lists a page of an app's charges in production from an instant on. It may lag behind the log. */
type FindRecentCharges = (o: {
  readonly projectId: string;
  readonly appId: string;
  readonly kind: 'purchase' | 'renewal';
  readonly since: string;
  readonly after?: string;
}) => Promise<{ readonly transactionIds: readonly string[]; readonly next?: string }>;

/** Finds the purchase tokens of the recorded charges of a purchase, by its first order. They may lag behind the log. */
type FindTokensOfOrder = (projectId: string, appId: string, firstOrderId: string) => Promise<readonly string[]>;

/** Finds the read model's entry of an account token, by its keyed hash. It may lag behind the log, which is read afterwards. */
export type FindByAccountToken = (projectId: string, key: string) => Promise<AccountTokenUse>;

/** `attributeOf`: customers with the token as attribute. `receiptsOf`: customers with a receipt of it. `lines`: lines without an owner. */
type AccountTokenUse = {
  readonly attributeOf: readonly string[];
  readonly receiptsOf: readonly (InEnvironment & { readonly customerId: string })[];
  readonly lines: readonly (InEnvironment & { readonly store: AppStore; readonly storeChainId: string })[];
};
type InEnvironment = Pick<SentAccountToken, 'environment'>;

/**
 * Caller of a request, and the request's ID, which names its command and correlates all that follows. `requestedAtMs` (UTC): time of the first
 * try, for a request repeated under its `Idempotency-Key`. `isTrusted`: a user or a secret key; a public key can be read out of the app.
 */
export type Requester = {
  readonly actor: Actor;
  readonly requestId: string;
  readonly requestedAtMs?: number;
  readonly isTrusted?: boolean;
};

export function contextOf(requester: Requester, projectId?: string): CommandContext {
  return {
    commandId: requester.requestId,
    correlationId: requester.requestId,
    actor: requester.actor,
    ...(requester.isTrusted !== undefined && { isTrusted: requester.isTrusted }),
    ...(projectId !== undefined && { projectId }),
  };
}
