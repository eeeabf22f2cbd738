// Instants as users write them on a command line.
import { DateTime } from 'luxon';
import { isoFromMs } from '../../domain/time.js';
import { WrongUse } from './failure.js';

/** Parses a day, or an instant with or without an offset (default: UTC). Returns null for invalid input, such as February 30. */
export function readInstant(text: string): string | null {
  const read = /^\d{4}-\d{2}-\d{2}/.test(text) ? DateTime.fromISO(text, { zone: 'utc' }) : null;
  return read?.isValid ? isoFromMs(read.toMillis()) : null;
}

/** Parses the instant of an option. Throws {@link WrongUse}. */
export function requireInstant(option: string, text: string): string {
  const instant = readInstant(text);
  if (instant !== null) return instant;
  throw new WrongUse(`${option} ${text}: give an instant such as 2026-04-13T00:00:00Z`);
}
