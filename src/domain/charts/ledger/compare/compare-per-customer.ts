// Comparison of charts that count a customer once: at its first sighting, in each bucket in which it was active, or by its age.
import { startOfDay } from '../../calendar.js';
import type { SeriesChart } from '../../catalogue/chart.js';
import { windowEnd } from '../../contribution.js';
import { NOT_SELECTED } from '../row-selection.js';
import { SEEN } from '../measure-codes.js';
import { COMES, createAges, JOINS, slotsOf as cohortSlotsOf, WORTH } from '../query-cohorts.js';
import { FIRST_SEEN, slotsOf, WORTH as LTV_WORTH } from '../query-customers.js';
import { partOf, WHOLE, type ComparisonWindow, type EmitContribution, type View } from './comparison-window.js';
import { isValidAt, type Reader } from './ledger-changes.js';
import { createGatherer, type CustomerEntries } from './customer-entries.js';

const [NEW, CONVERTED, PAID, LTV] = [0, 1, 2, 3];
type Sum = { isTouched: boolean; convertedBy: number; paidBy: number; worth: number };

export function customerReader(between: ComparisonWindow, chart: SeriesChart): Reader<CustomerEntries> {
  const { selectors, places, visibleCount, segments } = between;
  const slots = slotsOf({ chart, selectors });
  const own = Array.from({ length: Math.max(1, segments) }, (): Sum => ({
    isTouched: false,
    convertedBy: 0,
    paidBy: 0,
    worth: 0,
  }));
  const state = (
    { selection }: View,
    entries: CustomerEntries,
    knowledgeTime: number,
    cutoff: number,
    put: EmitContribution,
  ): void => {
    const { count, at, attributes, values } = entries;
    let first = 0;
    const isFirst = (i: number) => entries.slots[i] === FIRST_SEEN && (at[i] ?? 0) < cutoff;
    while (first < count && !(isFirst(first) && isValidAt(entries, first, knowledgeTime))) first++;
    const segment = first === count ? NOT_SELECTED : (selection.customers[attributes[first] ?? 0] ?? NOT_SELECTED);
    const firstSeen = at[first] ?? 0;
    const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(firstSeen);
    const index = place - 1;
    if (place === NOT_SELECTED || index >= visibleCount) return;
    const add = (part: number, sum: number, value: number) => {
      if (value !== 0) put(part, sum, 0, index, index + 1, value);
    };
    add(WHOLE, NEW, 1);
    if (selection.by === 'customer') add(partOf(segment), NEW, 1);
    if (selection.by === 'purchase') for (let n = 0; n < segments; n++) add(partOf(n), NEW, 1);
    const converts = windowEnd(firstSeen, selectors.conversionTimeframe);
    const lasts = windowEnd(firstSeen, selectors.customerLifetime);
    for (let i = 0; i < count; i++) {
      const instant = at[i] ?? 0;
      if (entries.slots[i] === FIRST_SEEN || instant >= cutoff || !isValidAt(entries, i, knowledgeTime)) continue;
      const sum = own[selection.purchases[attributes[i] ?? 0] ?? NOT_SELECTED];
      if (!sum) continue;
      const value = values[i] ?? 0;
      const isWorth = entries.slots[i] === LTV_WORTH;
      sum.isTouched = true;
      if (isWorth && instant < lasts) sum.worth += value;
      if (!isWorth && instant < lasts) sum.paidBy += value;
      if (!isWorth && instant < converts) sum.convertedBy += value;
    }
    let [worth, isConverted, isPaid] = [0, false, false];
    for (const [number, sum] of own.entries()) {
      if (!sum.isTouched) continue;
      worth += sum.worth;
      isConverted ||= sum.convertedBy > 0;
      isPaid ||= sum.paidBy > 0;
      if (selection.by !== 'none') {
        add(partOf(number), LTV, sum.worth);
        add(partOf(number), CONVERTED, Number(sum.convertedBy > 0));
        add(partOf(number), PAID, Number(sum.paidBy > 0));
      }
      Object.assign(sum, { isTouched: false, convertedBy: 0, paidBy: 0, worth: 0 });
    }
    add(WHOLE, LTV, worth);
    add(WHOLE, CONVERTED, Number(isConverted));
    add(WHOLE, PAID, Number(isPaid));
  };
  return {
    sums: ['customers.new', 'customers.converted', 'customers.paying', 'customers.ltv'],
    omits: 'customers',
    gathererOf: (ledger, omission) => createGatherer(ledger, slots, between, omission),
    state,
    settles: ({ at }, i) => at[i] ?? 0,
  };
}

/** Sightings of a customer are ordered by time. */
export function activityReader(between: ComparisonWindow): Reader<CustomerEntries> {
  const { places, visibleCount, segments } = between;
  return {
    sums: ['customers.active'],
    omits: 'customers',
    gathererOf: (ledger, omission) => createGatherer(ledger, new Map([[SEEN, 0]]), between, omission),
    state: ({ selection }, entries, knowledgeTime, cutoff, put) => {
      let last = 0;
      for (let i = 0; i < entries.count; i++) {
        const at = entries.at[i] ?? 0;
        if (at >= cutoff || !isValidAt(entries, i, knowledgeTime)) continue;
        const segment = selection.customers[entries.attributes[i] ?? 0] ?? NOT_SELECTED;
        const place = segment === NOT_SELECTED ? NOT_SELECTED : places.of(at);
        if (place <= last || place > visibleCount) continue;
        last = place;
        put(WHOLE, 0, 0, place - 1, place, 1);
        if (selection.by === 'customer') put(partOf(segment), 0, 0, place - 1, place, 1);
        if (selection.by === 'purchase') for (let n = 0; n < segments; n++) put(partOf(n), 0, 0, place - 1, place, 1);
      }
    },
    settles: ({ at }, i) => at[i] ?? 0,
  };
}

const [SIZE, SUM] = [0, 1];

export function cohortReader(between: ComparisonWindow): Reader<CustomerEntries> {
  const { selectors, range, places, visibleCount, until, segments } = between;
  const slots = cohortSlotsOf({ selectors });
  const isOfNew = selectors.cohort === 'new_customers';
  const isOfStays = selectors.cohortMeasure === 'retained_subscriptions';
  const ages = createAges(range.interval, range.start, until);
  const joinedAt = new Float64Array(segments + 1);
  const tracks = new Int32Array(segments + 1);
  const trackOf = (joined: number): number => {
    const place = joined === Infinity ? NOT_SELECTED : places.of(joined);
    return place < 1 || place > visibleCount ? NOT_SELECTED : place - 1;
  };
  const putWorth = (
    part: number,
    slot: number,
    instant: number,
    value: number,
    cutoff: number,
    put: EmitContribution,
  ): void => {
    const track = tracks[part] ?? NOT_SELECTED;
    if (track === NOT_SELECTED) return;
    const day = startOfDay(joinedAt[part] ?? 0);
    if (slot === WORTH) {
      const age = instant < day ? NOT_SELECTED : ages.of(day, instant);
      if (age !== NOT_SELECTED) put(part, SUM, track, age, age + 1, value);
      return;
    }
    // Live from its age at that instant to the last existing age.
    const from = instant < day ? 0 : ages.of(day, instant);
    put(part, SUM, track, from, ages.of(day, cutoff - 1) + 1, slot === COMES ? value : -value);
  };
  const state = (
    { selection }: View,
    entries: CustomerEntries,
    knowledgeTime: number,
    cutoff: number,
    put: EmitContribution,
  ): void => {
    const { count, at, attributes, values } = entries;
    const joiners = isOfNew ? selection.customers : selection.purchases;
    joinedAt.fill(Infinity);
    for (let i = 0; i < count; i++) {
      const instant = at[i] ?? 0;
      if (entries.slots[i] !== JOINS || instant >= cutoff || !isValidAt(entries, i, knowledgeTime)) continue;
      const segment = joiners[attributes[i] ?? 0] ?? NOT_SELECTED;
      if (segment === NOT_SELECTED) continue;
      joinedAt[WHOLE] = Math.min(joinedAt[WHOLE] ?? Infinity, instant);
      const part = partOf(segment);
      if (selection.by !== 'none') joinedAt[part] = Math.min(joinedAt[part] ?? Infinity, instant);
    }
    const whole = joinedAt[WHOLE] ?? Infinity;
    if (whole === Infinity) return;
    if (selection.by === 'purchase' && isOfNew) joinedAt.fill(whole);
    for (let part = WHOLE; part <= (selection.by === 'none' ? WHOLE : segments); part++) {
      const track = (tracks[part] = trackOf(joinedAt[part] ?? Infinity));
      if (track !== NOT_SELECTED) put(part, SIZE, track, 0, 1, 1);
    }
    for (let i = 0; i < count; i++) {
      const [slot, instant] = [entries.slots[i] ?? NOT_SELECTED, at[i] ?? 0];
      if (slot === JOINS || instant >= cutoff || !isValidAt(entries, i, knowledgeTime)) continue;
      const segment = selection.purchases[attributes[i] ?? 0] ?? NOT_SELECTED;
      if (segment === NOT_SELECTED) continue;
      putWorth(WHOLE, slot, instant, values[i] ?? 0, cutoff, put);
      if (selection.by !== 'none') putWorth(partOf(segment), slot, instant, values[i] ?? 0, cutoff, put);
    }
  };
  return {
    sums: ['size', 'sum'],
    // How long a subscription stays live is never final.
    omits: isOfStays ? 'nothing' : 'customers',
    gathererOf: (ledger, omission) => createGatherer(ledger, slots, between, omission),
    state,
    ...(!isOfStays && { settles: ({ at }: CustomerEntries, i: number) => at[i] ?? 0 }),
  };
}
