// Event log that counts and times its appends.
import type { Metrics } from '../metrics/port.js';
import type { Runtime } from '../runtime.js';
import type { EventLog } from './port.js';
import { WrongRevision } from '../../domain/errors.js';

export function measureAppends(log: EventLog, metrics: Metrics, { now }: Pick<Runtime, 'now'>): EventLog {
  return {
    ...log,
    append: async (stream, expected, events) => {
      const startedAt = now();
      try {
        const appended = await log.append(stream, expected, events);
        if (events.length > 0) metrics.append('appended', now() - startedAt);
        return appended;
      } catch (err) {
        metrics.append(err instanceof WrongRevision ? 'conflict' : 'failed', now() - startedAt);
        throw err;
      }
    },
  };
}
