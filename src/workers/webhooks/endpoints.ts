// Records of endpoints (webhooks, and apps that forward), derived from the feed by the fan-out. Each change is stored with the position
// from which it applies, so that an event handled again goes to exactly the same endpoints as the first time.
import type { DocStore } from '../../adapters/documents/port.js';
import { collectRows, updateRecord, recordsNamed, scanRecords } from '../../adapters/documents/records.js';
import type { LogPosition, RecordedEvent } from '../../domain/envelope.js';
import { touches } from '../../domain/events.js';
import { projectEvents, type ProjectEvent } from '../../domain/project/events.js';
import type { PayloadFormat } from '../../domain/webhook/events.js';
import { evolveWebhook, type WebhookState } from '../../domain/webhook/webhook.js';
import { ofFamily } from '../../domain/vocabulary.js';

export const endpointCollection = {
  name: recordsNamed<EndpointDoc>('endpoints'),
  indexes: [{ name: 'project', fields: ['projectId'] }],
};

const PAGE = 1000;

/**
 * Endpoint settings. `raw`: store notifications byte for byte, unsigned. `enabledSince`: the position since which it has been enabled without
 * interruption.
 */
export type Endpoint = {
  readonly kind: 'webhook' | 'raw';
  readonly url: string;
  readonly eventTypes: readonly string[] | null;
  readonly appId: string | null;
  readonly environment: 'production' | 'sandbox' | null;
  readonly payloadFormat: PayloadFormat;
  readonly ordered: boolean;
  readonly enabled: boolean;
  readonly enabledSince: LogPosition;
};

/** Settings from a position on; `endpoint` is null when the endpoint does not exist. */
type Version = { readonly from: LogPosition; readonly endpoint: Endpoint | FormerEndpoint | null };
/** Settings in a record of an earlier version. */
type FormerEndpoint = Omit<Endpoint, 'enabledSince'> & { readonly era: LogPosition };
export type EndpointDoc = {
  readonly projectId: string;
  readonly endpointId: string;
  /** Versions, oldest first. */
  readonly versions: readonly Version[];
};

/** Limit on stored versions: events handled again are among the newest few thousand, in which an endpoint rarely changes so often. */
const MAX_VERSIONS = 50;

/** Returns the id of the endpoint that a configuration event changes, or null. */
export function endpointIdOf(event: RecordedEvent): string | null {
  const webhookEvent = ofFamily(event, 'webhook');
  if (webhookEvent) return webhookEvent.data.webhookId;
  const projectEvent = ofFamily(event, 'project');
  if (!projectEvent || !touches(projectEvents, projectEvent, 'apps')) return null;
  switch (projectEvent.type) {
    case 'AppRegistered':
      return projectEvent.data.notificationForwardingUrl === null ? null : projectEvent.data.appId;
    case 'AppSettingsUpdated':
      return projectEvent.data.changes.notificationForwardingUrl ? projectEvent.data.appId : null;
    case 'AppDeleted':
      return projectEvent.data.appId;
  }
}

/** Applies a configuration event to the record; an event applied before changes nothing. */
export async function changeEndpoint(docs: DocStore, event: RecordedEvent): Promise<void> {
  const endpointId = endpointIdOf(event);
  if (endpointId === null) return;
  await updateRecord(docs, endpointCollection.name, endpointId, (before) => {
    const last = before?.versions.at(-1);
    if (last && last.from >= event.position) return undefined;
    const endpoint = applyConfiguration(settingsOf(last), endpointId, event);
    if (!before && !endpoint) return undefined;
    const version = { from: event.position, endpoint };
    const versions = [...(before?.versions ?? []), version].slice(-MAX_VERSIONS);
    return { projectId: event.meta.projectId ?? '', endpointId, versions };
  });
}

/** Returns the endpoint as of a log position. */
export function endpointAt({ versions }: EndpointDoc, position: LogPosition): Endpoint | null {
  return settingsOf(versions.findLast((v) => v.from <= position));
}

export function currentEndpoint({ versions }: EndpointDoc): Endpoint | null {
  return settingsOf(versions.at(-1));
}

function settingsOf(version: Version | undefined): Endpoint | null {
  const endpoint = version?.endpoint ?? null;
  if (endpoint === null || 'enabledSince' in endpoint) return endpoint;
  const { era: enabledSince, ...settings } = endpoint;
  return { ...settings, enabledSince };
}

export async function endpointsOf(docs: DocStore, projectId: string): Promise<readonly EndpointDoc[]> {
  const scan = { index: 'project', eq: [projectId], limit: PAGE };
  const rows = await collectRows(scan, (page) => scanRecords(docs, endpointCollection.name, page));
  return rows.map((row) => row.doc);
}

function applyConfiguration(before: Endpoint | null, endpointId: string, event: RecordedEvent): Endpoint | null {
  const webhookEvent = ofFamily(event, 'webhook');
  if (!webhookEvent) {
    const projectEvent = ofFamily(event, 'project');
    const url = projectEvent && forwardingUrlOf(projectEvent);
    return url === null ? null : { ...RAW_SETTINGS, appId: endpointId, url, enabledSince: event.position };
  }
  const state: WebhookState = before
    ? {
        ...before,
        webhookId: endpointId,
        name: null,
        eventTypes: before.eventTypes && [...before.eventTypes],
        disabledCause: null,
      }
    : 'none';
  const after = evolveWebhook(state, webhookEvent);
  if (typeof after === 'string') return null;
  const { url, eventTypes, appId, environment, payloadFormat, ordered, enabled } = after;
  const enabledSince = before?.enabled === enabled ? before.enabledSince : event.position;
  return { kind: 'webhook', url, eventTypes, appId, environment, payloadFormat, ordered, enabled, enabledSince };
}

const RAW_SETTINGS = {
  kind: 'raw',
  eventTypes: null,
  environment: null,
  payloadFormat: 'camelCase',
  ordered: true,
  enabled: true,
} as const;

function forwardingUrlOf(event: RecordedEvent<ProjectEvent>): string | null {
  if (!touches(projectEvents, event, 'apps')) return null;
  switch (event.type) {
    case 'AppRegistered':
      return event.data.notificationForwardingUrl;
    case 'AppSettingsUpdated':
      return event.data.changes.notificationForwardingUrl?.to ?? null;
    case 'AppDeleted':
      return null;
  }
}
