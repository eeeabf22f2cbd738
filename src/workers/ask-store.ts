// Before time ends what a store has not spoken of, the store is asked, where credentials allow: its notification may have been lost.
import { AndroidStoreRefusal } from '../adapters/android-store/port.js';
import { Unavailable } from '../adapters/event-log/port.js';
import { readSubscription } from '../commands/android-purchases.js';
import { recordRead } from '../commands/android-record.js';
import { load } from '../commands/run-command.js';
import { NoCredentials } from '../commands/no-credentials.js';
import type { App } from '../domain/project/events.js';
import { streams } from '../domain/streams.js';
import { subscriberDecider } from '../domain/subscriber/decide.js';
import { isoFromMs, msFromIso } from '../domain/time.js';
import type { DeadlineDoc } from '../projections/customers.js';
import type { StoreTaskDeps } from './store-tasks.js';

/** `settle`: asked, or nobody to ask. `later`: the store is away or busy. */
export type AskStore = (due: DeadlineDoc) => Promise<'settle' | 'later'>;

/** A store that is away this long after an end is waited for no longer. */
const WAITED_FOR_MS = 86_400_000;

export function createAskStore(o: StoreTaskDeps): AskStore {
  const { deps, gates } = o;
  return async (due) => {
    const now = deps.runtime.now();
    if (now - msFromIso(due.dueAt) > WAITED_FOR_MS) return 'settle';
    const asked = await purchaseOf(o, due);
    if (!asked) return 'settle';
    const { appId } = asked.app;
    if (gates.triedAgainAt(appId) > now || gates.isBusy(appId)) return 'later';
    try {
      await gates.through(appId, () => readAndRecord(o, due, asked));
      gates.open(appId);
      return 'settle';
    } catch (err) {
      if (err instanceof NoCredentials) return 'settle';
      if (err instanceof AndroidStoreRefusal && err.reason !== 'forbidden') return 'settle';
      if (!(err instanceof Unavailable) && !(err instanceof AndroidStoreRefusal)) throw err;
      gates.close(appId);
      return 'later';
    }
  };
}

type Asked = { readonly app: App; readonly purchaseToken: string };

/** The purchase that stands behind a deadline, or null: another store's, or a grant. */
async function purchaseOf({ deps }: StoreTaskDeps, due: DeadlineDoc): Promise<Asked | null> {
  const { projectId, customerId, target } = due;
  const { state } = await load(deps.log, streams.subscriber(projectId, customerId), subscriberDecider);
  const s = state.profile.subscriptions.find((one) => one.purchase.subscriptionId === target);
  if (s?.purchase.store !== 'android-store') return null;
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find((a) => a.appId === s.purchase.appId);
  return app ? { app, purchaseToken: s.purchase.originalTransactionId } : null;
}

async function readAndRecord({ deps, find }: StoreTaskDeps, due: DeadlineDoc, asked: Asked): Promise<void> {
  const { projectId, target, dueAt, kind } = due;
  const { app, purchaseToken } = asked;
  const storeTime = isoFromMs(deps.runtime.now());
  const question = { projectId, app, type: null, storeTime, offeringId: null, claimed: null };
  const read = await readSubscription(deps, question, purchaseToken);
  const id = `q|${target}|${dueAt}|${kind}|${storeTime}`;
  const ctx = { commandId: id, correlationId: id, actor: { kind: 'system' as const, id: 'deadlines' }, projectId };
  await recordRead(deps, find, { question, read, purchaseToken }, ctx);
}
