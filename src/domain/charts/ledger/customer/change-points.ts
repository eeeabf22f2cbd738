// Change points of what is known about a customer. An entry counts from the later of the time it took effect and the time it was recorded.
import type { CustomerHistory, History, Knowledge, Stamp } from '../../history/history.js';
import { historyChangesOf, type HistoryChange } from '../../history/history-steps.js';
import { kindNumber, knowledgeTimeOf, STEPS } from '../knowledge-time.js';

/** Change points of a customer, as knowledge times that `knowledgeTimeOf` packs. */
export type ChangePoints = {
  /** All knowledge times at which anything other than activity changes, in order; for activity, only those at which the first sighting changes. */
  readonly all: readonly number[];
  /** Returns the filter for what is known from the knowledge time on. */
  knownAt(knowledgeTime: number): Knowledge;
  readonly sightings: readonly Sighting[];
  readonly early: readonly EarlyEntry[];
};

/** Time at which the app was in use, UTC ms, and the knowledge times between which it is known. Sightings are ordered by `at`. */
type Sighting = { readonly at: number; readonly from: number; readonly to: number };

/**
 * Entry that was recorded before it took effect, UTC ms. `isCrossed` means that something else was recorded, or took effect, in between;
 * `isSeenBetween` that a sighting was.
 */
export type EarlyEntry = {
  readonly at: number;
  readonly known: number;
  readonly isSighting: boolean;
  readonly isCrossed: boolean;
  readonly isSeenBetween: boolean;
};

export function changePointsOf(customer: CustomerHistory): ChangePoints {
  const learned = historyChangesOf(customer, true).sort((a, b) => countsAt(a) - countsAt(b));
  const added = new Map<Stamp, number>();
  const found = new Set<number>();
  const early: EarlyEntry[] = [];
  let [step, before]: [number, HistoryChange | undefined] = [0, undefined];
  for (const one of learned) {
    const instant = countsAt(one);
    if (!before || countsAt(before) !== instant) step = 0;
    else if (before.kind !== one.kind) step++;
    // Steps beyond the limit cannot be distinguished: the customer's history must be read, as for crossing entries.
    if (step === STEPS) early.push({ at: instant, known: instant, ...crossing });
    const knowledgeTime = knowledgeTimeOf(instant, Math.min(step, STEPS - 1), kindNumber(one.kind));
    if (!one.isGone) added.set(one.stamp, knowledgeTime);
    if (!one.isSighting) found.add(knowledgeTime);
    before = one;
  }
  const from = (stamp: Stamp) => added.get(stamp) ?? Infinity;
  const sightings = sightingsOf(customer, from);
  let earliest = Infinity;
  for (const { at, from, to } of [...sightings].sort((a, b) => a.from - b.from)) {
    if (at < earliest || to !== Infinity) found.add(from);
    if (to !== Infinity) found.add(to);
    else earliest = Math.min(earliest, at);
  }
  return {
    all: [...found].sort((a, b) => a - b),
    knownAt: (knowledgeTime) => (stamps) =>
      stamps.filter((s) => {
        const { at, known, gone } = s;
        const isThere = Math.max(at, known) < Math.floor(knowledgeTime) || from(s) <= knowledgeTime;
        return isThere && (gone === undefined || gone > knowledgeTime);
      }),
    sightings,
    early: learned.some(isEarly) ? [...early, ...earlyOf(learned)] : early,
  };
}

const crossing = { isSighting: false, isCrossed: true, isSeenBetween: false };

function countsAt({ stamp, known, isGone }: HistoryChange): number {
  return isGone ? known : Math.max(stamp.at, known);
}

const REVISED = kindNumber('PurchaseHistoryRevised');

/** Returns the end of an entry: a withdrawal is the first step of its instant. */
function until({ gone }: Stamp): number {
  return gone === undefined ? Infinity : knowledgeTimeOf(gone, 0, REVISED);
}

function sightingsOf(customer: CustomerHistory, from: (stamp: Stamp) => number): readonly Sighting[] {
  const found: Sighting[] = [];
  const add = ({ created, seen }: History, since: number, end: number) => {
    for (const stamp of created ? [created, ...seen] : seen) {
      found.push({ at: stamp.at, from: Math.max(from(stamp), since), to: Math.min(until(stamp), end) });
    }
  };
  add(customer.own, -Infinity, Infinity);
  for (const m of customer.merged) add(m.history, from(m), until(m));
  return found.sort((a, b) => a.at - b.at);
}

function isEarly({ stamp, isGone }: HistoryChange): boolean {
  return !isGone && stamp.at > stamp.known;
}

function earlyOf(learned: readonly HistoryChange[]): readonly EarlyEntry[] {
  return learned.filter(isEarly).map((one): EarlyEntry => {
    const { at, known } = one.stamp;
    const between = learned.filter((other) => {
      return other !== one && countsAt(other) >= known && other.known <= at;
    });
    return {
      at,
      known,
      isSighting: one.isSighting,
      isCrossed: between.some((other) => !other.isSighting || other.isGone),
      isSeenBetween: between.some((other) => other.isSighting),
    };
  });
}
