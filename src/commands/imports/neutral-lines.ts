// Lines of the neutral form: one JSON object each, a customer, a purchase, a grant or a purchase token.
import { importedLine } from '../../domain/imports/facts.js';
import type { FileRow, ReadRow } from '../../domain/imports/problems.js';
import { orProblem, unknownCustomer } from './revenuecat/read-row.js';

/** `line`: the parsed JSON of the line. */
export function readNeutralLine(from: FileRow['from'], line: unknown): ReadRow {
  return orProblem(from, () => {
    const parsed = importedLine.parse(line);
    const about = {
      customerKey: parsed.appUserId,
      updatedAt: '',
      from,
      customer: unknownCustomer(parsed.appUserId),
      purchase: null,
      grant: null,
      token: null,
    };
    const { type, ...rest } = parsed;
    switch (type) {
      case 'customer':
        return { facts: [{ ...about, updatedAt: parsed.lastSeenAt ?? '', customer: parsed }], problems: [] };
      default:
        return { facts: [{ ...about, [type]: rest }], problems: [] };
    }
  });
}
