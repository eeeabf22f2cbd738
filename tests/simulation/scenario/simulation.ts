// State of a run, while it is in progress and afterwards.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { Delivery } from '../../../src/commands/webhooks/deliveries.js';
import type { ChartClient } from '../engine/chart-client.js';
import type { Process } from '../engine/process.js';
import type { SharedLog } from '../engine/log.js';
import type { Receivers } from '../engine/receivers.js';
import type { Timeline } from '../engine/timeline.js';
import type { LiveFeedClient } from '../engine/live-feed-client.js';
import type { FaultInjector } from '../engine/fault-injector.js';
import type { Client } from './client.js';
import type { Journal } from './journal.js';
import type { Script } from './script.js';
import type { Tenant, TenantName } from './tenant.js';

export type Simulation = {
  readonly script: Script;
  readonly timeline: Timeline;
  readonly faults: FaultInjector;
  readonly log: SharedLog;
  readonly docs: DocStore;
  readonly isShared: boolean;
  readonly journal: Journal;
  readonly receivers: Receivers;
  readonly client: Client;
  readonly chartClient: ChartClient;
  readonly liveFeedClients: Readonly<Record<TenantName, LiveFeedClient>>;
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  readonly logLines: readonly string[];
  /** Last state of each delivery, including deleted ones. */
  readonly deliveries: ReadonlyMap<string, Delivery>;
  readonly deletedDeliveries: ReadonlySet<string>;
  /** IDs of deliveries that changed from `delivered` back to `pending`. */
  readonly revertedDeliveries: ReadonlySet<string>;
  crashCount(): number;
  running(): readonly Process[];
  /** Restarts all processes; resolves when they are ready. */
  restart(): Promise<void>;
  /** Stops the run and releases its memory. */
  end(): void;
  /** Returns all stored documents: collection, ID, text. */
  allDocuments(): Promise<readonly (readonly [c: string, id: string, text: string])[]>;
  /** Awaits work that sends requests, and advances virtual time until it is done. */
  awaitInTime<T>(work: Promise<T>, limitMs?: number): Promise<T>;
};
