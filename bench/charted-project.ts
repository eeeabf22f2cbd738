// Creates a data directory whose project has three years of customer histories, with the log's own codec and tables.
import { rmSync } from 'node:fs';
import { dataFiles } from '../src/adapters/configuration/data-directory.js';
import { openEngine } from '../src/adapters/engine/engine.js';
import { createCodec } from '../src/adapters/event-log/codec.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { customerId, eventId, keyedHash } from '../src/domain/ids.js';
import { subscriberEvents, type SubscriberEvent } from '../src/domain/subscriber/events/events.js';
import { vocabulary } from '../src/domain/vocabulary.js';
import { historiesLog, RENEWALS } from './chart-histories.js';
import { seed, type SeededData } from './seed.js';
import { openBulkLog } from './bulk-log.js';
import type { EventData } from '../src/domain/envelope.js';

const never = new AbortController().signal;
const BATCH = 1000;

type Renewal = Extract<SubscriberEvent, { type: 'SubscriptionRenewed' }>['data'];

/**
 * Creates customers `user-<n>` with histories as in `chart-histories.ts`, between `start` and `end` (UTC ms). Each subscription expires at
 * its end.
 */
export async function seedCharted(customers: number, start: number, end: number): Promise<SeededData> {
  const seeded = await seed(0, { at: start });
  try {
    return { ...seeded, events: seeded.events + (await writeHistories(seeded, customers, start, end)) };
  } catch (err) {
    rmSync(seeded.dataDir, { recursive: true, force: true });
    throw err;
  }
}

async function writeHistories(
  { dataDir, masterKey, projectId }: SeededData,
  customers: number,
  start: number,
  end: number,
): Promise<number> {
  const runtime = systemRuntime();
  const key = Buffer.from(masterKey, 'base64');
  const engine = await openEngine({ DATA_DIR: dataDir }, () => [{ id: 'k1', key }], runtime);
  const { dataKeys: keys } = engine;
  const hash = keyedHash(await keys.forSealing('naming'));
  const log = openBulkLog(dataFiles(dataDir).log, createCodec(vocabulary, { keys, ...runtime }));
  const names = { projectId, customerId: (n: number) => customerId(hash, projectId, `user-${n}`) };
  let eventCount = 0;
  try {
    const histories = historiesLog(customers, start, end, names);
    for await (const { events } of histories.follow({ after: 'start', families: [], max: BATCH, signal: never })) {
      for (const { stream, type, data, meta } of events) {
        const append = (one: { readonly type: string; readonly data: EventData }, at: string, commandId: string) => {
          const own = { ...meta, at, recordedAt: at, commandId };
          eventCount++;
          return log.append(stream, 'any', [{ ...one, id: eventId(stream, commandId, 0), meta: own }]);
        };
        await append({ type, data }, meta.at, meta.commandId);
        // Without these events the service would record that many expirations at its start.
        const { purchase, expiresAt, renewalNumber } = data as Renewal;
        if (renewalNumber !== RENEWALS) continue;
        const about = { purchase, storeTime: expiresAt, reason: 'unsubscribe' as const, by: 'store' as const };
        await append(subscriberEvents.SubscriptionExpired.of(about), expiresAt, `${meta.commandId}|end`);
      }
    }
    return eventCount;
  } finally {
    log.close();
    await engine.close();
  }
}
