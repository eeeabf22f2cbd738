// Manual transfer of a purchase line to another customer, when support knows the owner better than the receipts.
import { Rejection } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { load } from '../handling/run-command.js';
import {
  changeOwner,
  followMerge,
  withLineLock,
  ownershipOf,
  resolveOwner,
  streamOf,
  resolveCustomer,
} from './line-ownership.js';

/** `from`: current owner of the transaction. `note`: reason, recorded in the event. */
export type PurchaseMove = {
  readonly from: string;
  readonly transactionId: string;
  readonly toAppUserId: string;
  readonly note: string;
};

/** Moves the whole line of the transaction. Throws `Rejection`: `missing` for an unknown transaction, `conflict` for the current owner. */
export async function movePurchase(deps: Deps, by: Requester, projectId: string, move: PurchaseMove): Promise<void> {
  const { state } = await load(deps.log, streams.subscriber(projectId, move.from), subscriberDecider);
  const purchase = state.transactions.get(move.transactionId)?.purchase;
  if (!purchase) throw new Rejection('missing', 'unknown-transaction', 'transaction not found in this project');
  const { store, storeChainId } = purchase;
  const line = { projectId, store, storeChainId };
  const ctx = contextOf(by, projectId);
  const to = await resolveCustomer(deps, projectId, move.toAppUserId);
  const stream = streamOf(deps, line);
  await withLineLock(deps, stream, async () => {
    const { owner } = await ownershipOf(deps, stream);
    if (!owner) throw new Rejection('missing', 'unowned-purchase', 'the purchase has no owner; submit its receipt');
    const former = await followMerge(
      deps,
      line,
      await resolveOwner(deps, line, owner.appUserId, { source: 'store' }, ctx),
      ctx,
    );
    if (former.owner.customerId === to.customerId) {
      throw new Rejection('conflict', 'same-owner', 'the purchase already belongs to this customer');
    }
    await changeOwner(deps, line, former, to, { reason: 'api', source: 'receipt', note: move.note }, ctx);
  });
}
