// `subledger export-history FILE`: the customers, purchases, refunds and grants of a project as lines of facts: for another service, for
// one's own code, or for `subledger import facts`.
import { createWriteStream, renameSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import { scanPages } from '../../adapters/documents/records.js';
import { createStateCache } from '../../commands/handling/state-cache.js';
import { catalogDecider } from '../../domain/catalog/catalog.js';
import { ORDER_CHAIN } from '../../domain/imports/chain-updates.js';
import type { importedLine } from '../../domain/imports/facts.js';
import { isTestStore, rulesOfStore, type AppStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import type { Subscription } from '../../domain/subscriber/state/state.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import { projects } from '../../projections/models/projects.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { createPart } from '../facts/fact-files.js';
import { requireInstant, expectNewFile, writingTo } from '../support/arguments.js';
import { withReading, openReadModels, requireProject } from '../support/open-for-reading.js';

type Options = { readonly project: string; readonly since?: string };

const PAGE = 500;

/** With `since` only transactions that were bought or refunded then or later, and their customers. */
export async function exportHistory(path: string, { project, since }: Options): Promise<void> {
  const from = since === undefined ? '' : requireInstant('--since', since);
  const argument = { name: 'FILE', path, cure: 'give the path of a new file' } as const;
  expectNewFile(argument);
  await withReading(async ({ log, docs }) => {
    const readModels = await openReadModels(docs, [customers, projects, transactions]);
    await requireProject(readModels, project);
    const { offerings } = await createStateCache(log, catalogDecider).get(streams.catalog(project));
    const keyOf = (id: string) => offerings.find(({ offeringId }) => offeringId === id)?.lookupKey ?? null;
    const lines = linesOf(readModels, project, { from, keyOf });
    const count = await writingTo(argument, () => writeLines(path, lines));
    process.stdout.write(`${count} lines\n`);
  });
}

async function* linesOf(
  readModels: ReadModels,
  projectId: string,
  o: { readonly from: string; readonly keyOf: (offeringId: string) => string | null },
): AsyncIterable<HistoryLine> {
  const everyone = { index: 'id', eq: [], limit: PAGE };
  for await (const page of scanPages(everyone, (scan) => readModels.scan(customers, scan))) {
    for (const { doc } of page) {
      if (doc.projectId !== projectId || doc.profile.status !== 'known') continue;
      const bought = await transactionsOf(readModels, doc, o);
      if (o.from !== '' && bought.length === 0) continue;
      yield* customerLines(doc);
      yield* bought;
    }
  }
}

async function transactionsOf(
  readModels: ReadModels,
  customer: CustomerDoc,
  { from, keyOf }: { readonly from: string; readonly keyOf: (offeringId: string) => string | null },
): Promise<readonly HistoryLine[]> {
  const all: TransactionDoc[] = [];
  const ofCustomer = { index: 'customer', eq: [customer.customerId], limit: PAGE };
  for await (const page of scanPages(ofCustomer, (scan) => readModels.scan(transactions, scan)))
    all.push(...page.map(({ doc }) => doc));
  return all.flatMap((doc, i) => {
    const isNext = (one: TransactionDoc) => one.subscriptionId !== null && one.subscriptionId === doc.subscriptionId;
    const isRecent = doc.purchasedAt >= from || (doc.refundedAt ?? '') >= from;
    return (isRecent ? transactionLine(doc, all.slice(i + 1).find(isNext), customer, keyOf) : null) ?? [];
  });
}

async function writeLines(path: string, lines: AsyncIterable<HistoryLine>): Promise<number> {
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const line of lines) {
      count++;
      yield `${JSON.stringify(line)}\n`;
    }
  }
  const part = createPart(path);
  await pipeline(Readable.from(texts()), createWriteStream(part, { flush: true }));
  renameSync(part, path);
  return count;
}

type HistoryLine = z.input<typeof importedLine>;

const PERIODS: ReadonlySet<string> = new Set(['trial', 'intro', 'normal', 'prepaid']);

/** Returns the customer with its names and attributes, then its grants. A customer who was merged or erased has no lines of its own. */
function customerLines({ profile, firstSeenAt }: CustomerDoc): readonly HistoryLine[] {
  const { appUserId, aliases, country, platform, attributes, grants } = profile;
  if (profile.status !== 'known') return [];
  return [
    {
      type: 'customer',
      appUserId,
      aliases: [...aliases],
      firstSeenAt,
      country,
      platform,
      attributes: Object.fromEntries(attributes.map(({ k, v, t }) => [k, { value: v, updatedAt: t }])),
    },
    ...grants.map(({ lookupKey, startsAt, expiresAt, endedAt }): HistoryLine => {
      return { type: 'grant', appUserId, entitlement: lookupKey, startsAt, expiresAt: endedAt ?? expiresAt };
    }),
  ];
}

/**
 * Returns the line of a transaction; null for the test store, whose purchases no store knows. `next`: the next period of the same
 * subscription.
 */
function transactionLine(
  t: TransactionDoc,
  next: TransactionDoc | undefined,
  { profile }: CustomerDoc,
  offeringKeyOf: (offeringId: string) => string | null,
): HistoryLine | null {
  if (isTestStore(t.store as AppStore)) return null;
  const { kind: store, namesChainBy } = rulesOfStore(t.store);
  const subscription = profile.subscriptions.find(({ purchase }) => purchase.subscriptionId === t.subscriptionId);
  const isPeriod = PERIODS.has(t.type);
  const chain = subscription?.purchase.storeChainId ?? t.originalTransactionId;
  const isToken = namesChainBy === 'purchaseToken' && !chain.startsWith(ORDER_CHAIN);
  const { currency, amountMicros, usdMicros, taxRate, commissionRate } = t.money;
  return {
    type: 'purchase',
    appUserId: profile.appUserId,
    store,
    appId: t.appId,
    storeProductId: t.storeProductId,
    transactionId: t.transactionId,
    originalTransactionId: namesChainBy === 'purchaseToken' ? null : chain,
    purchaseToken: isToken ? chain : null,
    kind: isPeriod ? (t.type as Subscription['period']['type']) : 'one_time',
    purchasedAt: t.purchasedAt,
    expiresAt: t.expiresAt,
    currency,
    amountMicros,
    usdMicros,
    taxRate,
    commissionRate,
    refundedAt: t.refundedAt,
    refundShare: refundShareOf(t),
    ...intentsOf(t, subscription),
    ...gapOf(t, next),
    environment: t.environment === 'sandbox' ? 'sandbox' : 'production',
    ownership: subscription?.purchase.ownership ?? 'purchased',
    country: t.country,
    offering: t.offeringId === null ? null : offeringKeyOf(t.offeringId),
    productDuration: isPeriod ? (subscription?.period.productDuration ?? null) : null,
    renewals: isPeriod ? (t.kind === 'purchase' ? 0 : 1) : null,
  };
}

function refundShareOf({ refundedAt, refundedUsdMicros, money }: TransactionDoc): number {
  if (refundedAt === null || refundedUsdMicros === null || !money.usdMicros) return 1;
  return Math.min(1, Math.max(1e-6, refundedUsdMicros / money.usdMicros));
}

/** Intents belong to the latest period of a subscription. */
function intentsOf(t: TransactionDoc, s: Subscription | undefined) {
  if (s?.purchase.transactionId !== t.transactionId) return {};
  return {
    autoRenewOffAt: s.autoRenew.on ? null : s.autoRenew.since,
    billingIssueAt: s.billingIssueAt,
    graceExpiresAt: s.graceEndsAt,
    autoResumeAt: s.pause?.begun === true ? s.pause.autoResumeAt : null,
  };
}

/** A subscription that went on after a gap was in billing retry or paused, from the end of the period. */
function gapOf({ expiresAt }: TransactionDoc, next: TransactionDoc | undefined) {
  return expiresAt !== null && next !== undefined && next.purchasedAt > expiresAt ? { billingIssueAt: expiresAt } : {};
}
