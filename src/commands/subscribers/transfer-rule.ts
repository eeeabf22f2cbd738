// The rule of a project about a receipt of a purchase that belongs to another customer.
import { Rejection } from '../../domain/errors.js';
import { isAnonymous } from '../../domain/ids.js';
import type { TransferBehavior } from '../../domain/project/events.js';
import { streams } from '../../domain/streams.js';
import { givesAccess, lasts, ownedUntil } from '../../domain/subscriber/access.js';
import { isAllowed } from '../../domain/subscriber/entitlements.js';
import { lineOf } from '../../domain/subscriber/state/line.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import { statusOf } from './anonymous-lines.js';
import { ownershipOf, resolveCustomer, streamOf, type Line, type LineOwner } from './line-ownership.js';
import { loadSubscriber } from './subscriber-states.js';

/** Owner of the line, with the status of the customer. */
type Holder = Pick<LineOwner, 'owner' | 'source'> & { readonly status: Profile['status'] };

export function receiptOwnedError(): Rejection {
  return new Rejection('conflict', 'receipt-owned', 'this purchase belongs to another customer of the project');
}

/** Returns whether an identified holder must give the line to the presenter of a receipt. A line without a receipt, or of an erased customer, is free. */
export async function isTransferAllowed(
  deps: Deps,
  line: Line,
  { owner, source, status }: Holder,
  behaviour: TransferBehavior,
): Promise<boolean> {
  if (source === 'store' || status === 'erased' || behaviour === 'transfer') return true;
  if (behaviour === 'keep') return false;
  const project = await deps.projects.get(streams.project(line.projectId));
  const rules = { allowsSandbox: project?.sandboxAccess !== 'nobody' };
  const now = isoFromMs(deps.runtime.now());
  const holder = await loadSubscriber(deps, streams.subscriber(line.projectId, owner.customerId));
  const { subscriptions, owned } = lineOf(holder.state, line.storeChainId);
  const isUsed =
    subscriptions.some((s) => givesAccess(s, now) && isAllowed(s.purchase, rules)) ||
    owned.some((p) => lasts(ownedUntil(p), now) && isAllowed(p.purchase, rules));
  return !isUsed;
}

/** Returns whether a receipt of this line would be recorded for the customer. Writes nothing. */
export async function isReceiptAllowed(
  deps: Deps,
  line: Line,
  appUserId: string,
  behaviour: TransferBehavior,
): Promise<boolean> {
  const { owner: recorded, source } = await ownershipOf(deps, streamOf(deps, line));
  if (!recorded) return true;
  const owner = await resolveCustomer(deps, line.projectId, recorded.appUserId);
  const presenter = await resolveCustomer(deps, line.projectId, appUserId);
  if (owner.customerId === presenter.customerId || isAnonymous(owner.appUserId)) return true;
  const status = await statusOf(deps, line.projectId, owner);
  return isTransferAllowed(deps, line, { owner, source, status }, behaviour);
}
