// Finds out, from the log, which entries of an app receipt are recorded. A read model could lag behind a receipt that was presented just now.
import type { ReceiptPurchase } from '../../../adapters/ios-store/app-receipt.js';
import { streams } from '../../../domain/streams.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import type { Subscriber } from '../../../domain/subscriber/state/state.js';
import type { Deps } from '../../handling/deps.js';
import { load } from '../../handling/run-command.js';
import { isAnonymousLine } from '../../subscribers/anonymous-lines.js';
import { ownershipOf, resolveCustomer, streamOf } from '../../subscribers/line-ownership.js';
import type { Receipt } from '../store-integration.js';

/** `isOthers`: another customer has presented a receipt of the line. */
export type RecordedLine = {
  readonly has: (entry: Pick<ReceiptPurchase, 'transactionId'>) => boolean;
  readonly isOthers: boolean;
};

/**
 * Returns the recorded lines of the entries, by their chain. A line that only store messages have recorded, for nobody, is omitted: the
 * receipt shows whose it is.
 */
export async function readRecordedLines(
  deps: Deps,
  { projectId, appUserId }: Pick<Receipt, 'projectId' | 'appUserId'>,
  entries: readonly ReceiptPurchase[],
): Promise<ReadonlyMap<string, RecordedLine>> {
  const me = await resolveCustomer(deps, projectId, appUserId);
  const states = new Map<string, Subscriber>();
  const stateOf = async (customerId: string) => {
    const known = states.get(customerId);
    if (known) return known;
    const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
    states.set(customerId, state);
    return state;
  };
  const lines = new Map<string, RecordedLine>();
  for (const storeChainId of new Set(entries.map(({ originalTransactionId }) => originalTransactionId))) {
    const line = { projectId, store: 'ios-store' as const, storeChainId };
    const { owner: recorded, source } = await ownershipOf(deps, streamOf(deps, line));
    if (!recorded || isAnonymousLine(deps, line, { owner: recorded, source })) continue;
    const { customerId } = await resolveCustomer(deps, projectId, recorded.appUserId);
    const { transactions } = await stateOf(customerId);
    const isOthers = customerId !== me.customerId && source === 'receipt';
    lines.set(storeChainId, { has: ({ transactionId }) => transactions.has(transactionId), isOthers });
  }
  return lines;
}
