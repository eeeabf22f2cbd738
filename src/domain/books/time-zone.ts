// Days in a time zone: that of a project, in which its revenue is counted, and that of the stores' reports.
import { isoFromMs } from '../time.js';

/** Offsets change on whole quarters of an hour. */
const QUARTER_MS = 900_000;
/** Quarters that are remembered: some years of them, for each zone. */
const MAX_QUARTERS = 400_000;

/** Returns true for a name of the IANA time zone database that is known here. */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true;
  try {
    return /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(name) && createFormat(name).resolvedOptions().timeZone.length > 0;
  } catch {
    // The runtime rejects names that it does not know.
    return false;
  }
}

/** Returns a function that gives the day of an instant in the zone. */
export function createDayOf(timeZone: string): (ms: number) => string {
  if (timeZone === 'UTC') return (ms) => isoFromMs(ms).slice(0, 10);
  const format = createFormat(timeZone);
  const offsets = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetMs(format, ms);
      if (offsets.size >= MAX_QUARTERS) offsets.clear();
      offsets.set(quarter, offset);
    }
    return isoFromMs(ms + offset).slice(0, 10);
  };
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
}

function offsetMs(format: Intl.DateTimeFormat, ms: number): number {
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):?(\d{2})?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
