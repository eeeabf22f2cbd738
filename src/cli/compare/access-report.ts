// Report of a comparison of access: counts, and each difference with the class of its cause and its customer.
import { tableKeys } from '../../domain/values/table-keys.js';
import { z } from 'zod';
import {
  differenceClasses,
  losesAccess,
  type AccessDifference,
  type AccessHolding,
  type DifferenceClass,
} from '../../domain/comparison/access.js';

const status = z.enum(['known', 'unknown', 'erased']);
const holding = z.strictObject({
  entitlement: z.string(),
  endsAt: z.string().nullable(),
  periodEndsAt: z.string().nullable(),
  isGrant: z.boolean(),
  isSandbox: z.boolean(),
  store: z.string().nullable(),
});
const classNames = tableKeys(differenceClasses);
/** Result for one customer. `at`: instant of the comparison, ISO 8601 UTC. */
export const accessResult = z.strictObject({
  appUserId: z.string(),
  at: z.string(),
  there: status,
  here: status,
  differences: z.array(
    z.strictObject({
      entitlement: z.string(),
      class: z.enum(classNames),
      there: holding.nullable(),
      here: holding.nullable(),
    }),
  ),
});
export type AccessResult = z.output<typeof accessResult>;

type CustomerDifference = AccessDifference & { readonly appUserId: string };

export type AccessReport = {
  readonly projectId: string;
  readonly other: string;
  /** First and last comparison of a customer; null if none was compared. */
  readonly from: string | null;
  readonly to: string | null;
  readonly customers: number;
  readonly equal: number;
  /** Customers that only one side knows, or neither. */
  readonly unknownHere: number;
  readonly unknownThere: number;
  readonly unknownToBoth: number;
  /** Customers with access there that they do not have here, for any cause. */
  readonly losingAccess: number;
  readonly unexplained: number;
  readonly classes: readonly { readonly class: DifferenceClass; readonly explained: boolean; readonly count: number }[];
  readonly differences: readonly CustomerDifference[];
};

export function reportAccess(projectId: string, other: string, results: readonly AccessResult[]): AccessReport {
  const differences = results.flatMap(({ appUserId, differences: own }) => own.map((d) => ({ appUserId, ...d })));
  const instants = results.map(({ at }) => at).toSorted();
  const classes = classNames.flatMap((name) => {
    const count = differences.filter((d) => d.class === name).length;
    return count === 0 ? [] : [{ class: name, explained: differenceClasses[name], count }];
  });
  const countOf = (matches: (result: AccessResult) => boolean) => results.filter(matches).length;
  return {
    ...{ projectId, other, from: instants[0] ?? null, to: instants.at(-1) ?? null, customers: results.length },
    equal: countOf((r) => r.differences.length === 0),
    unknownHere: countOf((r) => r.here !== 'known' && r.there === 'known'),
    unknownThere: countOf((r) => r.here === 'known' && r.there !== 'known'),
    unknownToBoth: countOf((r) => r.here !== 'known' && r.there !== 'known'),
    losingAccess: countOf((r) => r.differences.some(losesAccess)),
    unexplained: differences.filter((d) => !differenceClasses[d.class]).length,
    ...{ classes, differences },
  };
}

const explanations: Readonly<Record<DifferenceClass, string>> = {
  only_there: 'access there, none here: import the purchase, or check it with the store',
  only_here: 'access here, none there: look for a refund or an expiry that only one side received',
  end_differs: 'ends differ by more than an hour: look for a renewal that only one side received',
  grant_there: 'granted there, not here: import the grants again',
  unknown_here: 'access there, and the customer does not exist here: import the customer',
  entitlement_unknown: 'the entitlement does not exist here: run subledger import catalogue',
  grant_here: 'granted here, not there',
  grace: 'same period, and only one side counts a grace period',
  sandbox: 'a sandbox purchase that only one side counts',
  other_store: 'bought in a store that Subledger does not serve: grant the entitlement to keep the access',
  renewing: 'a renewal that only one side has received yet: compare again in an hour',
  unknown_since:
    'ended there after the export was written, which knows no renewal since: run subledger verify-import, or give a newer export',
  unknown_there: 'access here, and the customer does not exist there',
  erased_here: 'erased here at the person’s request',
};

const MAX_LISTED = 20;

/** Formats the counts, then the first customers of each class. */
export function accessReportText(report: AccessReport): readonly string[] {
  const { other, customers, equal, unknownHere, unknownThere, unknownToBoth, losingAccess, unexplained } = report;
  return [
    `${customers} customers compared with ${other}: ${equal} equal, ${customers - equal} different.`,
    `Unknown here: ${unknownHere}. Unknown there: ${unknownThere}. Unknown to both: ${unknownToBoth}.`,
    ...report.classes.flatMap(({ class: name, explained, count }) => {
      const own = report.differences.filter((d) => d.class === name);
      const more = own.length > MAX_LISTED ? [`  … and ${own.length - MAX_LISTED} more; see --json`] : [];
      const mark = explained ? 'explained' : 'UNEXPLAINED';
      return [
        '',
        `${name} (${mark}): ${count} — ${explanations[name]}`,
        ...own.slice(0, MAX_LISTED).map(lineOf),
        ...more,
      ];
    }),
    '',
    `${losingAccess} customers have access there that they do not have here.`,
    `${unexplained} differences are unexplained.`,
  ];
}

function lineOf({ appUserId, entitlement, there, here }: CustomerDifference): string {
  return `  ${appUserId} ${entitlement}: there ${endText(there)}, here ${endText(here)}`;
}

function endText(holding: AccessHolding | null): string {
  if (holding === null) return 'none';
  const until = holding.endsAt === null ? 'without end' : `until ${holding.endsAt}`;
  return holding.isGrant ? `${until} (grant)` : holding.store === null ? until : `${until} (${holding.store})`;
}
