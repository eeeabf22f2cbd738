// Plan of an import for one customer: names, attributes, grants and purchase lines, and the rows that cannot be imported as they are.
import { findEntitlement } from '../catalog/entitlements.js';
import type { ImportedRow } from '../envelope.js';
import { isAnonymous } from '../ids.js';
import { isAttributeName, isCustomAttribute, isPrototypeName } from '../subscriber/attribute-rules.js';
import { MAX_ATTRIBUTE_LENGTH, MAX_CUSTOM_ATTRIBUTES } from '../subscriber/attribute-rules.js';
import type { AttributeChange, GrantPromotional } from '../subscriber/decide/commands.js';
import { grantDurations } from '../subscriber/grant-durations.js';
import type { ImportedTransaction } from './chain-updates.js';
import type { ImportContext } from './context.js';
import type { ImportedCustomer, ImportedFact } from './facts.js';
import { planLines, type PlannedLine } from './plan-lines.js';
import { planTransaction } from './plan-transaction.js';
import type { ImportProblem } from './problems.js';

export type CustomerPlan = {
  readonly appUserId: string;
  readonly aliases: readonly string[];
  readonly from: ImportedRow;
  readonly firstSeenAt: string | null;
  readonly country: string | null;
  readonly platform: string | null;
  readonly attributes: readonly AttributeChange[];
  readonly grants: readonly GrantPromotional[];
  readonly lines: readonly PlannedLine[];
  readonly transactions: readonly ImportedTransaction[];
  readonly problems: readonly ImportProblem[];
};

type Facts = readonly [ImportedFact, ...ImportedFact[]];

/** Plans one customer. `facts`: all rows of the customer, at least one. `isShared`: true for a name of several customers. */
export function planCustomer(facts: Facts, ctx: ImportContext, isShared: (name: string) => boolean): CustomerPlan {
  const problems: ImportProblem[] = [];
  const newest = newestFacts(facts);
  const tokens = facts.flatMap(({ token }) => token ?? []);
  const transactions = newest.flatMap((fact) => planTransaction(fact, ctx, problems) ?? []);
  const names = namesOf(facts, isShared);
  const appUserId = mainNameOf(names, facts);
  const customers = facts.flatMap(({ customer }) => customer ?? []);
  const [first] = facts;
  return {
    appUserId,
    aliases: [...names.keys()].filter((name) => name !== appUserId),
    from: first.from,
    firstSeenAt: customers.map((c) => c.firstSeenAt).reduce(earliestOrNull, null),
    country: newestOf(facts, (c) => c.country),
    platform: newestOf(facts, (c) => c.platform),
    attributes: planAttributes(facts, ctx.now, problems),
    grants: newest.flatMap((fact) => planGrant(fact, ctx, problems) ?? []),
    lines: planLines(transactions, tokens, problems),
    transactions,
    problems,
  };
}

/** Returns the value of the newest row that has one; of equally new ones, of the last. */
function newestOf(facts: Facts, valueOf: (customer: ImportedCustomer) => string | null): string | null {
  const withValue = facts.filter(({ customer }) => customer !== null && valueOf(customer) !== null);
  const newest = withValue.reduce<ImportedFact | null>((a, b) => (a && a.updatedAt > b.updatedAt ? a : b), null);
  return newest?.customer ? valueOf(newest.customer) : null;
}

/** The newest row about a transaction or grant counts; of equally new ones, the last. */
function newestFacts(facts: readonly ImportedFact[]): readonly ImportedFact[] {
  const byKey = new Map<string, ImportedFact>();
  for (const fact of facts) {
    const key = factKeyOf(fact);
    if (key === null) continue;
    const known = byKey.get(key);
    if (!known || fact.updatedAt >= known.updatedAt) byKey.set(key, fact);
  }
  return [...byKey.values()];
}

function factKeyOf({ purchase, grant }: ImportedFact): string | null {
  if (purchase) return `purchase|${purchase.store}|${purchase.transactionId}`;
  return grant && `grant|${grant.entitlement}|${grant.startsAt}`;
}

/** Returns the names with the time of the newest row of each. A name of several customers is left out, but for one by which rows are grouped. */
function namesOf(facts: Facts, isShared: (name: string) => boolean): ReadonlyMap<string, string> {
  const own = new Set(facts.map(({ customerKey }) => customerKey));
  const names = new Map<string, string>();
  for (const { customer, updatedAt } of facts) {
    for (const name of customer ? [customer.appUserId, ...customer.aliases] : []) {
      const known = names.get(name);
      if (known === undefined ? own.has(name) || !isShared(name) : updatedAt > known) names.set(name, updatedAt);
    }
  }
  return names;
}

/** The name last used by an identified customer; of equally new ones the first, of one row its main name. Without one, the first name. */
function mainNameOf(names: ReadonlyMap<string, string>, [first]: Facts): string {
  const identified = [...names].filter(([name]) => !isAnonymous(name));
  const [head = [...names][0]] = identified;
  const newest = identified.reduce((best, one) => (best && one[1] > best[1] ? one : best), head);
  return newest?.[0] ?? first.customerKey;
}

function earliestOrNull(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function planGrant(
  { grant, from }: ImportedFact,
  { catalog, hash, projectId }: ImportContext,
  problems: ImportProblem[],
): GrantPromotional | null {
  if (!grant) return null;
  const entitlement = findEntitlement(catalog, grant.entitlement);
  if (!entitlement) {
    problems.push({ code: 'unknown-entitlement', from, detail: grant.entitlement });
    return null;
  }
  const { entitlementId, lookupKey } = entitlement;
  const { startsAt, expiresAt, appUserId } = grant;
  return {
    kind: 'grantPromotional',
    grantId: `grant_${hash('imported grant', projectId, appUserId, lookupKey, startsAt)}`,
    entitlementId,
    lookupKey,
    duration: expiresAt === null ? grantDurations.lifetime : null,
    startsAt,
    expiresAt,
    at: startsAt,
    importedFrom: from,
  };
}

/** Takes the newest value of each attribute; names and values that are not allowed are left out and reported. */
function planAttributes(
  facts: readonly ImportedFact[],
  now: string,
  problems: ImportProblem[],
): readonly AttributeChange[] {
  const newest = new Map<string, AttributeChange & { readonly from: ImportedRow }>();
  for (const { customer, from } of facts) {
    for (const [key, { value, updatedAt }] of Object.entries(customer?.attributes ?? {})) {
      const known = newest.get(key);
      if (!known || known.updatedAt < updatedAt) newest.set(key, { key, value, updatedAt, receivedAt: now, from });
    }
  }
  let custom = 0;
  return [...newest.values()].flatMap(({ from, ...change }) => {
    const { key, value } = change;
    const isAllowed = isAttributeName(key) && !isPrototypeName(key) && (value ?? '').length <= MAX_ATTRIBUTE_LENGTH;
    const hasRoom = !isCustomAttribute(key) || ++custom <= MAX_CUSTOM_ATTRIBUTES;
    if (isAllowed && hasRoom && (value ?? '').isWellFormed()) return [change];
    problems.push({ code: 'attribute-cut', from, detail: key });
    return [];
  });
}
