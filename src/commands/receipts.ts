// A store receipt presented by a client: verified data in, the subscriber with what it bought out.
import type { IosTransaction } from '../adapters/ios-store/port.js';
import { Rejection } from '../domain/decider.js';
import type { App } from '../domain/project/events.js';
import { streams } from '../domain/streams.js';
import { contextOf, type Deps, type Requester } from './deps.js';
import { translateIosTransaction } from './notifications/ios-store.js';
import { recordFromReceipt } from './purchase-lines.js';
import type { OnSubscriber } from './subscribers.js';

/** The same transaction again, by whoever owns it, changes nothing. */
export async function submitIosReceipt(
  deps: Deps,
  by: Requester,
  o: {
    readonly projectId: string;
    readonly app: App;
    readonly appUserId: string;
    readonly transaction: IosTransaction;
    readonly isRestore: boolean;
    /** The offering that the buyer was shown. */
    readonly offeringId: string | null;
  },
): Promise<OnSubscriber> {
  const { projectId, app, appUserId, transaction, isRestore, offeringId } = o;
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'no such project');
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const told = translateIosTransaction(transaction, { projectId, app, catalog, hash: deps.hash, offeringId });
  const { transferBehavior } = project;
  const input = { projectId, store: 'ios-store' as const, told, appUserId, isRestore, transferBehavior };
  const { transactionId, signedDate } = transaction;
  const commandId = `r|ios-store|${transactionId}|${appUserId}|${signedDate ?? ''}`;
  return recordFromReceipt(deps, input, { ...contextOf(by, projectId), commandId });
}
