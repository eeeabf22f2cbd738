// Purchases whose end has passed while the android-store still shows them as active: it renews them late, or retries the charge for a day
// before it reports that. They are read again within a minute, then at growing intervals. Access ends at the end that the store shows.
import { z } from 'zod';
import { isoFromMs } from '../../../domain/time.js';
import { sha256Of } from '../../accounts/api-key.js';
import type { Deps } from '../../handling/deps.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask, type NextWork } from '../tasks.js';

export const overdueWork = z.object({ kind: z.literal('overdue'), purchaseToken: z.string(), reads: z.number() });
type OverdueWork = z.output<typeof overdueWork>;

const MIN_INTERVAL_MS = 45_000;
const MAX_INTERVAL_MS = 3_600_000;
/** Covers about two days: the duration of the store's attempts according to its page on account hold. */
const MAX_READS = 54;

/** Schedules the reads, once per purchase. */
export async function scheduleOverdueRead(
  deps: Deps,
  { projectId, app }: AppOwner,
  purchaseToken: string,
): Promise<void> {
  const { appId } = app;
  const work = { kind: 'overdue' as const, purchaseToken, reads: 0 };
  const dueAt = isoFromMs(deps.runtime.now() + MIN_INTERVAL_MS);
  await addStoreTask(deps, `overdue|${appId}|${sha256Of(purchaseToken)}`, { projectId, appId, dueAt, work });
}

/** Returns null after the maximum number of reads. */
export function nextOverdueRead(work: OverdueWork): NextWork<OverdueWork> | null {
  const reads = work.reads + 1;
  if (reads >= MAX_READS) return null;
  return { work: { ...work, reads }, inMs: Math.min(MIN_INTERVAL_MS * 2 ** reads, MAX_INTERVAL_MS) };
}
