// Time zone in which times are shown: that of the project. Days of charts and of reports are calendar days, which have none.
import { signal } from '@preact/signals';

const UTC = 'UTC';

export const timeZone = signal(UTC);

/** Shows times in the zone, or in UTC if the browser does not know it. */
export function showTimesIn(name: string): void {
  timeZone.value = isSupported(name) ? name : UTC;
}

function isSupported(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Formats an instant for an input field of type `datetime-local`, in the zone; an address may contain what is no instant: empty. */
export function fieldOf(at: string | number): string {
  const ms = new Date(at).getTime();
  if (Number.isNaN(ms)) return '';
  return new Date(ms + offsetMs(ms)).toISOString().slice(0, 16);
}

/**
 * Returns the instant of the text of an input field, ISO 8601 UTC: of a day, its midnight. Of an hour that a change of the clock repeats it is
 * the first, and of one that is skipped the time after it.
 */
export function instantOf(field: string): string {
  const local = Date.parse(`${field.length === 10 ? `${field}T00:00` : field.slice(0, 16)}:00Z`);
  const offsets = [local - HALF_DAY_MS, local + HALF_DAY_MS].map(offsetMs);
  const found = offsets.map((offset) => local - offset).find((ms) => ms + offsetMs(ms) === local);
  return new Date(found ?? local - (offsets[0] ?? 0)).toISOString();
}

const HALF_DAY_MS = 43_200_000;

/** Returns how far the clocks of the zone are ahead of UTC. */
function offsetMs(ms: number): number {
  if (timeZone.value === UTC) return 0;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timeZone.value, timeZoneName: 'longOffset' });
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
