// The first download of an app by its customer, which the store signs: as an app transaction, or in an app receipt (StoreKit 1). Apps that
// went from paid to free know their earlier buyers by it.
import type { AppReceipt } from '../../../adapters/ios-store/app-receipt.js';
import { InvalidSignedData } from '../../../domain/errors.js';
import type { AppDownload } from '../../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../../domain/time.js';
import { commandIds } from '../../handling/command-ids.js';
import { contextOf, type Requester } from '../../handling/deps.js';
import { runOnSubscriber, trustOf, type SubscriberResult } from '../../subscribers/subscribers.js';
import type { PresentedDownload, Receipt } from '../store-integration.js';
import { verifyAppTransaction, type IosDeps } from './inbox.js';

type Presenter = Pick<Receipt, 'projectId' | 'app' | 'appUserId'>;

/** A version is a few numbers; the store signs what the developer wrote. */
const MAX_VERSION = 255;
const PRODUCTION: ReadonlySet<string> = new Set(['Production', 'ProductionVPP']);

/**
 * Records what a signed app transaction shows; returns null for one that the store did not sign, or that is of another app. A purchase is
 * never refused because of it.
 */
export async function recordSignedDownload(
  deps: IosDeps,
  by: Requester,
  { appTransaction, ...o }: PresentedDownload,
): Promise<SubscriberResult | null> {
  try {
    const { receiptType, originalApplicationVersion, originalPurchaseDate } = await verifyAppTransaction(
      deps,
      o.app,
      appTransaction,
    );
    return await record(deps, by, o, { receiptType, originalApplicationVersion, originalPurchaseDate });
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
    return null;
  }
}

/** Records what a verified app receipt shows; null if it shows no download of this very app. */
export async function recordReceiptDownload(
  deps: IosDeps,
  by: Requester,
  o: Presenter,
  { bundleId, receiptType, originalApplicationVersion, originalPurchaseDate }: AppReceipt,
): Promise<SubscriberResult | null> {
  if (bundleId !== o.app.storeIdentifier) return null;
  const downloadedAt = Date.parse(originalPurchaseDate ?? '');
  return record(deps, by, o, { receiptType, originalApplicationVersion, originalPurchaseDate: downloadedAt });
}

type ShownDownload = {
  readonly receiptType: string | null;
  readonly originalApplicationVersion?: string | null | undefined;
  readonly originalPurchaseDate?: number | undefined;
};

async function record(
  deps: IosDeps,
  by: Requester,
  { projectId, app, appUserId }: Presenter,
  { receiptType, originalApplicationVersion: version, originalPurchaseDate }: ShownDownload,
): Promise<SubscriberResult | null> {
  const hasDate = originalPurchaseDate !== undefined && originalPurchaseDate >= 0;
  if (!version || version.length > MAX_VERSION || !hasDate) return null;
  const environment = PRODUCTION.has(receiptType ?? '') ? ('production' as const) : ('sandbox' as const);
  const download: AppDownload = {
    ...{ appId: app.appId, environment, version },
    downloadedAt: isoFromMs(originalPurchaseDate),
  };
  const commands = [
    { kind: 'registerCustomer' as const, appUserId, source: 'sdk' as const, ...trustOf(by) },
    { kind: 'recordAppDownload' as const, download },
  ];
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.appDownload(by.requestId) };
  return runOnSubscriber(deps, projectId, appUserId, commands, ctx);
}
