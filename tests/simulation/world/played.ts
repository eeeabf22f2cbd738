// A world while it is played and once it has been.
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
  /** As each was last, also those that are no longer kept. */
  readonly deliveries: ReadonlyMap<string, Delivery>;
  readonly removed: ReadonlySet<string>;
  /** From `delivered` back to `pending`, by the delivery's id. */
  readonly undone: ReadonlySet<string>;
  crashes(): number;
  serving(): readonly Process[];
  /** Other processes in the place of all; resolves when they are ready. */
  restart(): Promise<void>;
  /** Nothing of it goes on, and nothing keeps it in memory. */
  end(): void;
  /** All that is stored as documents: collection, id, text. */
  allDocuments(): Promise<readonly (readonly [c: string, id: string, text: string])[]>;
  /** Runs work that asks the service, and lets the time pass that it takes. */
  inTime<T>(work: Promise<T>, limitMs?: number): Promise<T>;
};
