// State of a run, while it is in progress and afterwards.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { Delivery } from '../../../src/commands/webhooks/deliveries.js';
import type { Analyst } from '../engine/analyst.js';
import type { Process } from '../engine/process.js';
import type { SharedLog } from '../engine/log.js';
import type { Receivers } from '../engine/receivers.js';
import type { Timeline } from '../engine/timeline.js';
import type { Viewer } from '../engine/viewer.js';
import type { Weather } from '../engine/weather.js';
import type { Client } from './client.js';
import type { Journal } from './journal.js';
import type { Script } from './script.js';
import type { Tenant, TenantName } from './tenant.js';

export type Played = {
  readonly script: Script;
  readonly timeline: Timeline;
  readonly weather: Weather;
  readonly log: SharedLog;
  readonly docs: DocStore;
  readonly isShared: boolean;
  readonly journal: Journal;
  readonly receivers: Receivers;
  readonly client: Client;
  readonly analyst: Analyst;
  readonly viewers: Readonly<Record<TenantName, Viewer>>;
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  readonly lines: readonly string[];
  /** Last state of each delivery, including deleted ones. */
  readonly deliveries: ReadonlyMap<string, Delivery>;
  readonly removed: ReadonlySet<string>;
  /** IDs of deliveries that changed from `delivered` back to `pending`. */
  readonly undone: ReadonlySet<string>;
  crashes(): number;
  serving(): readonly Process[];
  /** Restarts all processes; resolves when they are ready. */
  restart(): Promise<void>;
  /** Stops the run and releases its memory. */
  end(): void;
  /** Returns all stored documents: collection, ID, text. */
  allDocuments(): Promise<readonly (readonly [c: string, id: string, text: string])[]>;
  /** Awaits work that sends requests, and advances virtual time until it is done. */
  inTime<T>(work: Promise<T>, limitMs?: number): Promise<T>;
};
