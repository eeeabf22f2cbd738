// Receipts of the android-store that cannot be read for want of credentials: kept, and read as soon as there are some that open the store.
import { AndroidStoreRefusal, NoCredentials, Rejection } from '../../../domain/errors.js';
import type { App } from '../../../domain/project/events.js';
import { streams } from '../../../domain/streams.js';
import { subscriberDecider } from '../../../domain/subscriber/decide/decider.js';
import { isoFromMs } from '../../../domain/time.js';
import { submitAndroidReceipt } from './receipts.js';
import { contextOf, type Deps, type Requester } from '../../handling/deps.js';
import type { FindByAccountToken } from '../inbox.js';
import { whoIs } from '../../subscribers/line-ownership.js';
import { load } from '../../handling/run-command.js';
import { addStoreTask, WHEN_CREDENTIALS_COME, type StoreWork } from '../tasks.js';
import { runOnSubscriber, type OnSubscriber } from '../../subscribers/subscribers.js';

type Receipt = Parameters<typeof submitAndroidReceipt>[3];
type KeptReceipt = Extract<StoreWork, { kind: 'receipt' }>;

/** What has to be done about the app's credentials before the receipt can be read. */
export type Missing = 'credentials_missing' | 'credentials_refused';

/** Null: it is for another reason that the receipt was not taken, and keeping it would not help. */
export function missingFor(err: unknown): Missing | null {
  if (err instanceof NoCredentials) return 'credentials_missing';
  return err instanceof AndroidStoreRefusal && err.reason === 'forbidden' ? 'credentials_refused' : null;
}

const ASKED_AGAIN_MS = 300_000;

/** Durable when it resolves. The same receipt of the same customer is kept once. Makes the subscriber unless there is one. */
export async function keepReceipt(deps: Deps, by: Requester, o: Receipt, missing: Missing): Promise<OnSubscriber> {
  const { projectId, app, appUserId, purchaseToken, storeProductId, isRestore, offeringId, claimed } = o;
  const { actor, requestId } = by;
  const of = { appUserId, purchaseToken, storeProductId, isRestore, offeringId, claimed };
  const work = { kind: 'receipt' as const, ...of, actor, requestId };
  const dueAt =
    missing === 'credentials_missing' ? WHEN_CREDENTIALS_COME : isoFromMs(deps.runtime.now() + ASKED_AGAIN_MS);
  const id = `r|${deps.hash('receipt', app.appId, appUserId, purchaseToken)}`;
  await addStoreTask(deps, id, { projectId, appId: app.appId, dueAt, work });
  const introduce = { kind: 'registerCustomer' as const, appUserId, source: 'sdk' as const };
  const ctx = { ...contextOf(by, projectId), commandId: `k|${requestId}` };
  return runOnSubscriber(deps, projectId, appUserId, [introduce], ctx);
}

/**
 * As if it were presented now, once. Nothing for a person who was erased meanwhile. Resolves with why the receipt is refused for good, or
 * null. Throws `NoCredentials`, `Unavailable` and {@link AndroidStoreRefusal} `forbidden`: then it is to be tried again.
 */
export async function submitKept(
  deps: Deps,
  find: FindByAccountToken,
  { projectId, app }: { readonly projectId: string; readonly app: App },
  { kind: _, actor, requestId, ...receipt }: KeptReceipt,
): Promise<string | null> {
  const { customerId } = await whoIs(deps, projectId, receipt.appUserId);
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  if (state.profile.status === 'erased') return null;
  try {
    await submitAndroidReceipt(deps, find, { actor, requestId }, { projectId, app, ...receipt });
    return null;
  } catch (err) {
    const isFinal = err instanceof Rejection || (err instanceof AndroidStoreRefusal && err.reason !== 'forbidden');
    if (!isFinal) throw err;
    return err.message;
  }
}
