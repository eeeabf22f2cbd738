// Refusal of a report file, with what to do.
import { Rejection } from '../errors.js';

/** Returns the refusal of a file. */
export function refused(message: string): Rejection {
  return new Rejection('invalid', 'unreadable-report', message);
}
