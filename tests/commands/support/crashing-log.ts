// An event log that is cut off at the n-th append, before it stores or after: the caller learns nothing but that it failed.
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { Unavailable } from '../../../src/domain/errors.js';

export type Moment = 'before' | 'after';
export type CrashingLog = EventLog & {
  /** The n-th append from now on fails; only that one. */
  failAt(n: number, moment: Moment): void;
  /** Appends since the last {@link CrashingLog.failAt}. */
  appends(): number;
};

export function crashingLog(log: EventLog): CrashingLog {
  let count = 0;
  let at = 0;
  let moment: Moment = 'before';
  return {
    ...log,
    failAt: (n, when) => {
      [count, at, moment] = [0, n, when];
    },
    appends: () => count,
    append: async (stream, expected, events) => {
      const fails = ++count === at;
      if (fails && moment === 'before') throw new Unavailable('cut before storing');
      const appended = await log.append(stream, expected, events);
      if (fails) throw new Unavailable('cut after storing');
      return appended;
    },
  };
}
