// Asks the store about one imported purchase line, records its response as a look-up does, and compares both.
import {
  NoCredentials,
  StoreRefusal,
  StoreUnavailable,
  Unavailable,
  UnknownPurchaseToken,
  UnprovenData,
} from '../../domain/errors.js';
import {
  compareLine,
  verdictOfUnknown,
  type LineVerdict,
  type VerificationReason,
} from '../../domain/imports/verification.js';
import { isStoreApp } from '../../domain/project/events.js';
import { rulesOfStore, type StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import type { OneTimePurchaseRef } from '../../domain/subscriber/events/blocks.js';
import { lineOf } from '../../domain/subscriber/state/line.js';
import type { PurchaseLine, Subscriber } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import { commandIds } from '../handling/command-ids.js';
import { load } from '../handling/run-command.js';
import { processBacklogOfLine } from '../stores/inbox/inbox.js';
import type { OwnedPurchase, StoreDeps } from '../stores/store-integration.js';
import type { StoreAccount, StorePace } from './store-pace.js';

/** `about`: its newest transaction; null if its app was deleted. */
export type ImportedLine = {
  readonly customerId: string;
  readonly state: Subscriber;
  readonly storeChainId: string;
  readonly about: OwnedPurchase | null;
};
export type VerificationRun = { readonly verificationId: string; readonly projectId: string };

/** Attempts for a line whose store, or our log, is unavailable. */
export const MAX_ATTEMPTS = 6;

type Turns = {
  readonly pace: StorePace;
  /** Accounts without credentials: their lines end without a request, so that they need no pace. */
  readonly withoutCredentials: Set<string>;
  readonly signal: AbortSignal;
};

/** Verifies the line when its store may be asked. Throws `Unavailable` if the store or the log stays so, and the reason of the signal. */
export async function verifyInTurn(
  deps: StoreDeps,
  run: VerificationRun,
  line: ImportedLine,
  { pace, withoutCredentials, signal }: Turns,
): Promise<LineVerdict> {
  const { about } = line;
  if (!about) return unasked('app_deleted');
  const { environment } = about.purchase;
  const account: StoreAccount = { store: about.app.store, appId: about.app.appId, environment };
  const key = `${account.appId}|${environment}`;
  for (let attempts = 1; ; attempts++) {
    if (!withoutCredentials.has(key)) await pace.turn(account, signal);
    try {
      const verdict = await verifyLine(deps, run, line, about);
      pace.recordAnswer(account);
      if (verdict.reason === 'no_credentials') withoutCredentials.add(key);
      else withoutCredentials.delete(key);
      return verdict;
    } catch (err) {
      if (!(err instanceof Unavailable) || attempts === MAX_ATTEMPTS) throw err;
      if (err instanceof StoreUnavailable) pace.holdBack(account, err.retryAfterSeconds);
      else await deps.runtime.sleep(err.retryAfterSeconds * 1000, signal);
    }
  }
}

async function verifyLine(
  deps: StoreDeps,
  run: VerificationRun,
  { customerId, state, storeChainId }: ImportedLine,
  about: OwnedPurchase,
): Promise<LineVerdict> {
  const before = lineOf(state, storeChainId);
  const { app } = about;
  const commandId = commandIds.verifiedLine(run.verificationId, storeChainId);
  const actor = { kind: 'import' as const, id: run.verificationId };
  const ctx = { commandId, correlationId: run.verificationId, actor, projectId: run.projectId };
  try {
    await processBacklogOfLine(deps, app.appId, storeChainId);
    const reported = await deps.stores.of(app.store).refreshPurchase(deps, about, ctx);
    if (reported.commands.length === 0) return unknownTo(app.store, before, deps);
    const stream = streams.subscriber(run.projectId, customerId);
    const after = lineOf((await load(deps.log, stream, subscriberDecider)).state, storeChainId);
    return after.transactions.length === 0 ? unasked('moved') : compareLine(before, after, reported);
  } catch (err) {
    const reason = reasonOf(err);
    if (reason === null) throw err;
    return reason === 'not_found' ? unknownTo(app.store, before, deps) : unasked(reason);
  }
}

/** Returns the newest transaction of the line; null if its app was deleted. */
export async function purchaseOf(
  deps: StoreDeps,
  projectId: string,
  line: PurchaseLine,
): Promise<OwnedPurchase | null> {
  const newest = newestPurchase(line);
  const project = await deps.projects.get(streams.project(projectId));
  const app = project?.apps.find((one) => one.appId === newest?.appId);
  if (!newest || !app || !isStoreApp(app)) return null;
  return { projectId, app, purchase: newest, isSubscription: line.subscriptions.length > 0, scope: 'history' };
}

function newestPurchase({ subscriptions, transactions }: PurchaseLine): OneTimePurchaseRef | undefined {
  const last = transactions.toSorted((a, b) => (a.purchasedAt < b.purchasedAt ? -1 : 1)).at(-1);
  return subscriptions.at(-1)?.purchase ?? last?.purchase;
}

function unasked(reason: VerificationReason): LineVerdict {
  return { class: 'could_not_ask', reason };
}

function unknownTo(store: StoreKind, line: PurchaseLine, { runtime }: StoreDeps): LineVerdict {
  return verdictOfUnknown(line, rulesOfStore(store).deletesEnded, isoFromMs(runtime.now()));
}

/** Returns null for an error that a repeat may end. */
function reasonOf(err: unknown): VerificationReason | null {
  if (err instanceof NoCredentials) return 'no_credentials';
  if (err instanceof UnknownPurchaseToken) return 'no_token';
  if (err instanceof UnprovenData) return 'unproven';
  if (!(err instanceof StoreRefusal)) return null;
  return err.reason === 'forbidden' ? 'forbidden' : 'not_found';
}
