// `subledger export-history FILE`: the customers, purchases, refunds and grants of a project as lines of facts: for another service, for
// one's own code, or for `subledger import facts`.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { scanPages } from '../../adapters/documents/records.js';
import { createPrivateFile } from '../../adapters/configuration/data-directory.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { createStateCache } from '../../commands/handling/state-cache.js';
import { catalogDecider } from '../../domain/catalog/catalog.js';
import { streams } from '../../domain/streams.js';
import { customers, type CustomerDoc } from '../../projections/models/customers.js';
import { transactions, type TransactionDoc } from '../../projections/models/transactions.js';
import { createReadModels, type ReadModels } from '../../projections/queries/read-models.js';
import { createServing, servingCollection } from '../../projections/rebuild/serving.js';
import { collectionsOf } from '../../projections/runtime/projection.js';
import { fail, WrongUse } from '../support/failure.js';
import { readInstant } from '../support/instant.js';
import { openForReading } from '../support/open-for-reading.js';
import { expectPlaceForFile, writingTo } from '../support/path-arguments.js';
import { customerLines, transactionLine, type HistoryLine } from './history-lines.js';

type Options = { readonly project: string; readonly since?: string };

const PAGE = 500;

/** With `since` only transactions that were bought or refunded then or later, and their customers. */
export async function exportHistory(path: string, { project, since }: Options): Promise<void> {
  try {
    const from = since === undefined ? '' : readInstant(since);
    if (from === null) throw new WrongUse(`--since ${since ?? ''}: give an instant such as 2026-04-13T00:00:00Z`);
    const argument = { name: 'FILE', path, cure: 'give the path of a new file' } as const;
    expectPlaceForFile(argument);
    const { log, docs, close } = await openForReading(process.env);
    try {
      await docs.ensure([servingCollection]);
      const serving = createServing(docs, systemRuntime());
      for (const model of [customers, transactions]) await docs.ensure(collectionsOf(await serving.build(model)));
      const { offerings } = await createStateCache(log, catalogDecider).get(streams.catalog(project));
      const keyOf = (id: string) => offerings.find(({ offeringId }) => offeringId === id)?.lookupKey ?? null;
      const lines = linesOf(createReadModels(docs, serving), project, { from, keyOf });
      const count = await writingTo(argument, () => writeLines(path, lines));
      process.stdout.write(`${count} lines\n`);
    } finally {
      await close();
    }
  } catch (err) {
    fail(err);
  }
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
  createPrivateFile(path);
  const file = createWriteStream(path);
  let count = 0;
  for await (const line of lines) {
    count++;
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return count;
}
