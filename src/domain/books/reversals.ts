// Reversals of refunds in reports: lines of a refund's type whose sign is against that of the report's refunds. A reversal may also stand as a
// new charge, which only the comparison with ours can tell.
import type { EntryKind } from './entries.js';
import { isGroupLine, isOrderLine, type ComparedLine, type GroupLine, type OrderLine } from './lines.js';
import type { Steps } from './steps.js';

/**
 * Returns what tells the kind of each line of a report. Some reports print refunds with the sign of charges: where none is negative, a sign
 * says nothing.
 */
export function* orderKindsIn(lines: Iterable<OrderLine>): Steps<(line: OrderLine) => EntryKind> {
  let isSigned = false;
  /** True for parts that are negative in a charge: as its lines print them, else as most reports do. */
  const isNegative: Partial<Record<OrderLine['part'], boolean>> = { charge: false };
  for (const line of lines) {
    if (line.isRefund) isSigned ||= line.isNegative && line.part !== 'other';
    else if (line.amountMicros !== 0) isNegative[line.part] ??= line.isNegative;
    yield;
  }
  return ({ isRefund, part, amountMicros, isNegative: isLineNegative }) => {
    if (!isRefund) return 'charge';
    const isReversal = isSigned && amountMicros !== 0 && isLineNegative === (isNegative[part] ?? true);
    return isReversal && part !== 'other' ? 'reversal' : 'refund';
  };
}

/** The same for the groups of a finance report, in which a return has a negative quantity or price. */
export function* groupKindsIn(lines: Iterable<GroupLine>): Steps<(line: GroupLine) => EntryKind> {
  let isSigned = false;
  for (const line of lines) {
    isSigned ||= line.isRefund && line.isNegative;
    yield;
  }
  return ({ isRefund, isNegative, quantity, paidMicros }) => {
    if (!isRefund) return 'charge';
    return isSigned && !isNegative && quantity > 0 && paidMicros > 0 ? 'reversal' : 'refund';
  };
}

/** The same for the lines of any report that is compared. */
export function* lineKindsIn(lines: readonly ComparedLine[]): Steps<(line: ComparedLine) => EntryKind> {
  const kindOfOrder = yield* orderKindsIn(linesThat(lines, isOrderLine));
  const kindOfGroup = yield* groupKindsIn(linesThat(lines, isGroupLine));
  return (line) => (isOrderLine(line) ? kindOfOrder(line) : kindOfGroup(line));
}

function* linesThat<L extends ComparedLine>(
  lines: readonly ComparedLine[],
  isOfForm: (line: ComparedLine) => line is L,
): Generator<L> {
  for (const line of lines) if (isOfForm(line)) yield line;
}
