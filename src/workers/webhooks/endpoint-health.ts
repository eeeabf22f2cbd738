// Health of endpoints and of their hosts. That of an endpoint is cached and saved at intervals; warnings and disabling follow from it. That
// of a host is in memory, by tenant: it survives deleting and creating webhooks to the host.
import { commandIds } from '../../commands/handling/command-ids.js';
import type { Logger } from 'pino';
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { Deps } from '../../commands/handling/deps.js';
import { readHealth, saveHealth } from '../../commands/webhooks/endpoint-health.js';
import { recordWebhookDecision } from '../../commands/webhooks/webhooks.js';
import type { LogPosition } from '../../domain/envelope.js';
import {
  admissionOf,
  afterAttempt,
  noHealth,
  assessHealth,
  type AttemptResult,
  type EndpointHealth,
  afterExchange,
  isPrompt,
  unknownHost,
  type HostHealth,
} from '../../domain/webhook/health.js';
import type { Schedule } from '../../domain/webhook/schedule.js';
import type { Location, EndpointStates } from './tenant-queue.js';

/** `isPrompt`: whether the latest response was fast; null before the first attempt of this process. */
type TrackedEndpoint = {
  health: EndpointHealth;
  enabledSince: LogPosition;
  isDirty: boolean;
  lastDecisionId: string;
  isPrompt: boolean | null;
};

export type EndpointRef = Location & {
  readonly projectId: string;
  readonly endpointId: string;
  readonly kind: 'webhook' | 'raw';
  readonly enabledSince: LogPosition;
};

const MAX_CACHED = 20_000;

export type EndpointHealthTracker = ReturnType<typeof createEndpointHealthTracker>;

export function createEndpointHealthTracker(deps: Deps, schedule: Schedule, logger: Logger) {
  const tracked = new Map<string, TrackedEndpoint>();
  const locations = createBoundedCache<string, Location>(MAX_CACHED);
  const hosts = createBoundedCache<string, HostHealth>(MAX_CACHED);

  /** Records where an endpoint is. Returns true when this was already known. */
  const locate = (endpointId: string, location: Location): boolean => {
    const previous = locations.get(endpointId);
    locations.set(endpointId, location);
    return previous?.host === location.host && previous.tenantId === location.tenantId;
  };

  const healthOf = async ({ endpointId, enabledSince }: EndpointRef): Promise<TrackedEndpoint> => {
    const current = tracked.get(endpointId);
    if (current?.enabledSince === enabledSince) return current;
    const stored = current?.health ?? (await readHealth(deps, [endpointId])).get(endpointId) ?? noHealth;
    // A re-enabled endpoint starts with a clean record: its former failures are the reason it was disabled.
    const isNew = stored.enabledSince !== enabledSince;
    const health = isNew
      ? { ...noHealth, hours: stored.hours, lastDelivery: stored.lastDelivery, enabledSince }
      : stored;
    const entry = { health, enabledSince, isDirty: isNew, lastDecisionId: '', isPrompt: null };
    tracked.set(endpointId, entry);
    const [oldest] = tracked;
    if (tracked.size > MAX_CACHED && oldest && !oldest[1].isDirty) tracked.delete(oldest[0]);
    return entry;
  };

  const recordVerdict = async (ref: EndpointRef, one: TrackedEndpoint): Promise<void> => {
    const verdict = assessHealth(one.health);
    const { failing } = one.health;
    if (!verdict || !failing || ref.kind === 'raw') return;
    const decisionId =
      verdict.kind === 'warn'
        ? commandIds.webhookWarned(ref.endpointId, failing.since, verdict.hours)
        : commandIds.webhookDisabled(ref.endpointId, failing.since);
    if (one.lastDecisionId === decisionId) return;
    one.lastDecisionId = decisionId;
    const { projectId, endpointId: webhookId } = ref;
    logger.warn({ projectId, webhookId, since: failing.since, verdict: verdict.kind }, 'webhook keeps failing');
    const command =
      verdict.kind === 'warn'
        ? { kind: 'warn' as const, since: failing.since }
        : { kind: 'disable' as const, cause: 'failures' as const };
    await recordWebhookDecision(deps, { projectId, webhookId }, command, decisionId);
  };

  const states: EndpointStates = {
    locationOf: locations.get,
    endpointAdmission: (endpointId) => admissionOf(tracked.get(endpointId)?.health ?? noHealth, deps.runtime.now()),
    hostAdmission: (location) => admissionOf(hosts.get(keyOf(location)) ?? unknownHost, deps.runtime.now()),
    isPrompt: (endpointId, location) =>
      tracked.get(endpointId)?.isPrompt ?? hosts.get(keyOf(location))?.isPrompt === true,
  };

  return {
    states,
    locate,
    /** Registers an endpoint before anything is sent to it. Returns false when its location was unknown or has changed. */
    register: async (ref: EndpointRef): Promise<boolean> => {
      const isFirst = !tracked.has(ref.endpointId);
      const one = await healthOf(ref);
      const key = keyOf(ref);
      // After a restart, an endpoint or host with a recent response is not treated as unresponsive.
      const isKnown = isFirst && one.health.lastDelivery?.status != null;
      if (isKnown) one.isPrompt = true;
      if (isKnown && !hosts.get(key)) hosts.set(key, { ...unknownHost, isPrompt: true });
      return locate(ref.endpointId, ref);
    },
    recordAttempt: async (ref: EndpointRef, attempted: AttemptResult & { readonly ms: number }): Promise<void> => {
      const key = keyOf(ref);
      hosts.set(key, afterExchange(hosts.get(key) ?? unknownHost, attempted, schedule));
      const one = await healthOf(ref);
      one.isPrompt = isPrompt(attempted);
      const before = one.health.openUntil;
      one.health = afterAttempt(one.health, attempted, schedule);
      one.isDirty = true;
      if (before === null && one.health.openUntil !== null) {
        const { projectId, endpointId } = ref;
        logger.warn({ projectId, endpointId }, 'webhook endpoint circuit opened');
      }
      await recordVerdict(ref, one);
    },
    /** Returns the number of endpoints with an open circuit. */
    openBreakers: (): number => [...tracked.values()].filter((c) => c.health.openUntil !== null).length,
    save: async (): Promise<void> => {
      const dirty = [...tracked].filter(([, one]) => one.isDirty);
      await Promise.all(
        dirty.map(([endpointId, one]) => {
          one.isDirty = false;
          return saveHealth(deps, endpointId, one.health);
        }),
      );
    },
  };
}

function keyOf({ tenantId, host }: Location): string {
  return `${tenantId} ${host}`;
}
