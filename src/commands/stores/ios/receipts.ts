// A store receipt presented by a client: verified data in, the subscriber with what it bought out.
import type { IosTransaction } from '../../../adapters/ios-store/port.js';
import type { Charge } from '../../../domain/catalog/assumed-price.js';
import { Rejection } from '../../../domain/errors.js';
import type { App } from '../../../domain/project/events.js';
import { streams } from '../../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../../handling/deps.js';
import type { FindByAccountToken } from '../inbox.js';
import { notePastOfReceipt } from './gaps.js';
import { translateIosTransaction } from './translator.js';
import { recordFromReceipt } from '../../subscribers/purchase-lines.js';
import type { OnSubscriber } from '../../subscribers/subscribers.js';
import { workOffLine } from '../work-off.js';

/** The same transaction again, by whoever owns it, changes nothing. */
export async function submitIosReceipt(
  deps: Deps,
  find: FindByAccountToken,
  by: Requester,
  o: {
    readonly projectId: string;
    readonly app: App;
    readonly appUserId: string;
    readonly transaction: IosTransaction;
    readonly isRestore: boolean;
    /** The offering that the buyer was shown. */
    readonly offeringId: string | null;
    /** What the client says it cost; counts where the store tells no price. */
    readonly claimed: Charge | null;
  },
): Promise<OnSubscriber> {
  const { projectId, app, appUserId, transaction, isRestore, offeringId, claimed } = o;
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', 'no such project');
  await workOffLine(deps, find, app.appId, transaction.originalTransactionId);
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const ctx = { projectId, app, catalog, hash: deps.hash, offeringId, claimed };
  const told = translateIosTransaction(transaction, ctx);
  const { transferBehavior } = project;
  const input = { projectId, store: 'ios-store' as const, told, appUserId, isRestore, transferBehavior };
  const { transactionId, signedDate } = transaction;
  const commandId = `r|ios-store|${transactionId}|${appUserId}|${signedDate ?? ''}`;
  const recorded = await recordFromReceipt(deps, input, { ...contextOf(by, projectId), commandId });
  await notePastOfReceipt(deps, { projectId, appId: app.appId }, transaction, recorded);
  return recorded;
}
