// When a state of knowledge begins, as one number: the instant in UTC ms, and in the fraction of the millisecond which step of that instant
// it is, and by which kind of event. Instants are whole numbers: `from < asOf <= to` asks the same of moments.
import { KINDS } from './learned-kinds.js';

/** So many steps of one instant are told apart. */
export const STEPS = 64;
/** A double has room for it up to the year 2109. */
const PARTS = STEPS * KINDS;

export function momentOf(instant: number, step: number, kind: number): number {
  return instant + (step * KINDS + kind) / PARTS;
}

export function instantOf(moment: number): number {
  return Math.floor(moment);
}

/** The number of the kind of event. */
export function kindAt(moment: number): number {
  return ((moment - Math.floor(moment)) * PARTS) % KINDS;
}
