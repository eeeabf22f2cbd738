// `subledger export-history FILE`: the customers, purchases, refunds and grants of a project as lines of facts: for another service, for
// one's own code, or for `subledger import facts`.
import { createWriteStream, renameSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { collectRows, scanPages } from '../../adapters/documents/records.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { createStateCache } from '../../commands/handling/state-cache.js';
import { catalogDecider } from '../../domain/catalog/catalog.js';
import { emptyCustomerHistory } from '../../domain/charts/history/history.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { createPart } from '../facts/fact-files.js';
import { requireInstant, expectNewFile, writingTo } from '../support/arguments.js';
import { withReading, openChartReadModels, requireProject } from '../support/open-for-reading.js';
import { customerLines, transactionLines, type HistoryLine } from './history-lines.js';

type Options = { readonly project: string; readonly since?: string };

const PAGE = 500;

/** With `since` only transactions that were bought or refunded then or later, and their customers. */
export async function exportHistory(path: string, { project, since }: Options): Promise<void> {
  const from = since === undefined ? '' : requireInstant('--since', since);
  const argument = { name: 'FILE', path, cure: 'give the path of a new file' } as const;
  expectNewFile(argument);
  await withReading(async ({ log, docs }) => {
    const readModels = await openChartReadModels(docs, [customers, transactions]);
    await requireProject(readModels, project);
    const { offerings } = await createStateCache(log, catalogDecider).get(streams.catalog(project));
    const keyOf = (id: string) => offerings.find(({ offeringId }) => offeringId === id)?.lookupKey ?? null;
    const writtenAt = isoFromMs(systemRuntime().now());
    const lines = linesOf(readModels, project, { from, writtenAt, keyOf });
    const count = await writingTo(argument, () => writeLines(path, lines));
    process.stdout.write(`${count} lines\n`);
  });
}

async function* linesOf(
  readModels: ReadModels,
  projectId: string,
  o: {
    readonly from: string;
    readonly writtenAt: string;
    readonly keyOf: (offeringId: string) => string | null;
  },
): AsyncIterable<HistoryLine> {
  yield { type: 'export', writtenAt: o.writtenAt };
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
  const ofCustomer = { index: 'customer', eq: [customer.customerId], limit: PAGE };
  const rows = await collectRows(ofCustomer, (scan) => readModels.scan(transactions, scan));
  const all = rows.map(({ doc }) => doc);
  if (all.length === 0) return [];
  const history = (await readModels.get(customerHistories, customer.customerId)) ?? emptyCustomerHistory;
  const isRecent = (t: TransactionDoc) => t.purchasedAt >= from || (t.refundedAt ?? '') >= from;
  return transactionLines(all, isRecent, { customer, history, offeringKeyOf: keyOf });
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
