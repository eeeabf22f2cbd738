// How each endpoint does, kept in memory and saved once in a while; warnings and disabled endpoints follow from it.
import { commandIds } from '../../commands/handling/command-ids.js';
import type { Logger } from 'pino';
import type { Deps } from '../../commands/handling/deps.js';
import { readHealth, saveHealth } from '../../commands/webhooks/endpoint-health.js';
import { judgeWebhook } from '../../commands/webhooks/webhooks.js';
import type { LogPosition } from '../../domain/envelope.js';
import { afterAttempt, noHealth, verdictOn, type Attempted, type EndpointHealth } from '../../domain/webhook/health.js';
import type { Schedule } from '../../domain/webhook/schedule.js';
import { isoFromMs } from '../../domain/time.js';
import type { Openness } from './queue.js';

type Cared = { health: EndpointHealth; era: LogPosition; isDirty: boolean; warned: string };

export type EndpointRef = {
  readonly projectId: string;
  readonly endpointId: string;
  readonly kind: 'webhook' | 'raw';
  readonly era: LogPosition;
};

export type EndpointCare = ReturnType<typeof createEndpointCare>;

const MOST_CACHED = 20_000;

export function createEndpointCare(deps: Deps, schedule: Schedule, logger: Logger) {
  const cared = new Map<string, Cared>();

  /** What it is now. An endpoint enabled anew starts with a clean record: what was before is why it had been disabled. */
  const meet = async ({ endpointId, era }: EndpointRef): Promise<Cared> => {
    const current = cared.get(endpointId);
    if (current?.era === era) return current;
    const stored = current?.health ?? (await readHealth(deps, [endpointId])).get(endpointId) ?? noHealth;
    const isNew = stored.era !== era;
    const health = isNew ? { ...noHealth, hours: stored.hours, lastDelivery: stored.lastDelivery, era } : stored;
    const met = { health, era, isDirty: isNew, warned: '' };
    cared.set(endpointId, met);
    const [oldest] = cared;
    if (cared.size > MOST_CACHED && oldest && !oldest[1].isDirty) cared.delete(oldest[0]);
    return met;
  };

  const judge = async (ref: EndpointRef, one: Cared): Promise<void> => {
    const verdict = verdictOn(one.health);
    const { failing } = one.health;
    if (!verdict || !failing || ref.kind === 'raw') return;
    const name =
      verdict.kind === 'warn'
        ? commandIds.webhookWarned(ref.endpointId, failing.since, verdict.hours)
        : commandIds.webhookDisabled(ref.endpointId, failing.since);
    if (one.warned === name) return;
    one.warned = name;
    const { projectId, endpointId: webhookId } = ref;
    logger.warn({ projectId, webhookId, since: failing.since, verdict: verdict.kind }, 'webhook keeps failing');
    const command =
      verdict.kind === 'warn'
        ? { kind: 'warn' as const, since: failing.since }
        : { kind: 'disable' as const, cause: 'failures' as const };
    await judgeWebhook(deps, { projectId, webhookId }, command, name);
  };

  return {
    /** Unknown endpoints are open: they are met with their first delivery. */
    openness: (endpointId: string): Openness => {
      const until = cared.get(endpointId)?.health.openUntil ?? null;
      if (until === null) return 'open';
      return until <= isoFromMs(deps.runtime.now()) ? 'probe' : 'closed';
    },
    meet: async (ref: EndpointRef): Promise<void> => void (await meet(ref)),
    attempted: async (ref: EndpointRef, attempted: Attempted): Promise<void> => {
      const one = await meet(ref);
      const before = one.health.openUntil;
      one.health = afterAttempt(one.health, attempted, schedule);
      one.isDirty = true;
      if (before === null && one.health.openUntil !== null) {
        logger.warn({ projectId: ref.projectId, endpointId: ref.endpointId }, 'endpoint left alone for a while');
      }
      await judge(ref, one);
    },
    /** Endpoints that are left alone at the moment. */
    openBreakers: (): number => [...cared.values()].filter((c) => c.health.openUntil !== null).length,
    save: async (): Promise<void> => {
      const dirty = [...cared].filter(([, one]) => one.isDirty);
      await Promise.all(
        dirty.map(([endpointId, one]) => {
          one.isDirty = false;
          return saveHealth(deps, endpointId, one.health);
        }),
      );
    },
  };
}
