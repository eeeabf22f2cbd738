// Tells charges that were never collected from those that only a report lacks: their subscription was in grace, retry or on hold.
import { readStream, type EventLog } from '../../adapters/event-log/port.js';
import type { BookEntry } from '../../domain/books/entries.js';
import { streams } from '../../domain/streams.js';
import { msFromIso } from '../../domain/time.js';
import { ofFamily } from '../../domain/vocabulary.js';
import { transactionDocId, transactions, type TransactionDoc } from '../models/transactions.js';
import type { ReadModels } from '../queries/read-models.js';

type Sources = {
  readonly log: Pick<EventLog, 'read'>;
  readonly readModels: ReadModels;
  readonly slice: () => Promise<void>;
};

/** Returns the entries; charges that no report has are `not_collected` if their payment failed. */
export async function nameUncollected(
  sources: Sources,
  projectId: string,
  entries: readonly BookEntry[],
): Promise<readonly BookEntry[]> {
  const found: BookEntry[] = [];
  for (const entry of entries) {
    const isMissing = entry.cause === 'missing_there' && entry.kind === 'charge';
    const hasFailed = isMissing && (await hasFailedPayment(sources, projectId, entry));
    found.push(hasFailed ? { ...entry, cause: 'not_collected' } : entry);
  }
  return found;
}

async function hasFailedPayment(
  { log, readModels, slice }: Sources,
  projectId: string,
  { transactionIds: [transactionId] }: BookEntry,
): Promise<boolean> {
  if (transactionId === undefined) return false;
  const charge = await readModels.get(transactions, transactionDocId(projectId, transactionId));
  if (!charge || charge.subscriptionId === null) return false;
  await slice();
  for await (const stored of readStream(log, streams.subscriber(projectId, charge.customerId))) {
    const event = ofFamily(stored, 'subscriber');
    const isFailure =
      event?.type === 'SubscriptionBillingIssueDetected' ||
      event?.type === 'SubscriptionGracePeriodEntered' ||
      event?.type === 'SubscriptionBillingRetryEntered';
    const isOfLine = isFailure && event.data.purchase.subscriptionId === charge.subscriptionId;
    if (isOfLine && isOfCharge(charge, event.meta.at)) return true;
  }
  return false;
}

/** A store tries to charge up to a day before the period begins; what fails near its end is the next charge. */
const CHARGED_BEFORE_MS = 86_400_000;

function isOfCharge({ purchasedAt, expiresAt }: TransactionDoc, at: string): boolean {
  const [from, failedAt] = [msFromIso(purchasedAt) - CHARGED_BEFORE_MS, msFromIso(at)];
  return failedAt >= from && (expiresAt === null || failedAt < msFromIso(expiresAt) - CHARGED_BEFORE_MS);
}
