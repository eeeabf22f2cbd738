// Interface of a store to the rest of the code. Code that serves every store uses the integration of a kind and depends on nothing else of
// it.
import type { StoreApp } from '../../domain/project/events.js';
import type { Environment, OneTimePurchaseRef, RefundPreference } from '../../domain/subscriber/events/blocks.js';
import type { StoreRefusal } from '../../domain/errors.js';
import { UnknownStore, type StoreKind } from '../../domain/store-kinds.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { InboxEvent, Outcome } from '../../domain/inbox/inbox.js';
import type { Deps, Requester } from '../handling/deps.js';
import type { CommandContext } from '../handling/run-command.js';
import type { StoreCommand } from '../../domain/subscriber/decide/store-commands.js';
import type { Charge } from '../../domain/catalog/products.js';
import type { SubscriberResult } from '../subscribers/subscribers.js';
import type { FoundReport, ReportSearch } from './found-reports.js';
import type { LineUpdate } from './line-update.js';
import type { ReportedGroups, ReportedOrders } from './reported-sales.js';
import type { StoreWork, CompletedTask } from './tasks.js';

export type AppOwner = { readonly projectId: string; readonly app: StoreApp };

/** Errors of processing and of store requests: `Unavailable`, `NoCredentials`, `StoreRefusal`, `UnprovenData`. */
export type StoreIntegration = {
  readonly kind: StoreKind;
  /**
   * True if processing a notification requires a request to the store: then it waits for an unavailable store without delaying other apps.
   */
  readonly requiresStoreRequest: boolean;
  /** Checks the sender before the body is read; null if the token in the address is enough. Throws `NotificationRefused`. */
  readonly admit: ((deps: StoreDeps, sender: Sender) => Promise<void>) | null;
  /** Checks that a body comes from the store and is about the app. Throws `NotificationRefused`. */
  readNotification(deps: StoreDeps, app: StoreApp, body: unknown): Promise<ReadNotification>;
  /** Returns the full content of a notification, with its signed parts decoded, including what this version does not understand. */
  decodeFully(rawBody: string): Readonly<Record<string, unknown>>;
  /**
   * Returns, for the `decoded` of a notification, whether the store's responder reported all certificates as good on receipt. False where
   * it was not queried or did not respond; null for a store whose notifications contain no certificates.
   */
  revocationChecked(decoded: unknown): boolean | null;
  /** Returns the key that serialises processing: the purchase line of a notification, from its `decoded`; null if none. */
  lineOf(decoded: unknown): string | null;
  /**
   * Turns a stored notification of the app into events. `retry`: applies the raw body with the translator of this version, in addition to an
   * earlier run; null for the first run. Safe to repeat.
   */
  applyNotification(
    deps: StoreDeps,
    app: StoreApp,
    event: StoredNotification,
    retry: RetryOptions | null,
  ): Promise<AppliedNotification>;
  /** Records a receipt of a client. Throws `Rejection` for an invalid one, or one of another app. */
  submitReceipt(deps: StoreDeps, by: Requester, receipt: Receipt): Promise<SubmittedReceipt>;
  /**
   * Records when the customer first downloaded the app, as far as the store signed it: null if nothing is shown; null for a store that signs
   * no downloads.
   */
  readonly recordDownload:
    ((deps: StoreDeps, by: Requester, presented: PresentedDownload) => Promise<SubscriberResult | null>) | null;
  /** Requests a purchase line from the store and records the response. */
  refreshPurchase(deps: StoreDeps, about: OwnedPurchase, ctx: CommandContext): Promise<StoreReading>;
  /**
   * Fetches what {@link refreshPurchase} needs to know about many imported purchases, by transaction ID, with few requests; null for a store
   * that names its purchases by their transactions.
   */
  readonly findPurchaseTokens:
    ((deps: StoreDeps, owner: AppOwner, about: readonly OwnedPurchase[]) => Promise<FoundTokens>) | null;
  /** Fetches the IDs of an order's transactions from the store; null where an order's ID is that of its transaction. */
  readonly transactionsOfOrder:
    ((deps: StoreDeps, owner: AppOwner, orderId: string) => Promise<readonly string[]>) | null;
  /**
   * Answers the store's question about a refund. Throws `NoCredentials`, `StoreRefusal`, `Unavailable`; a repeat of the same answer is
   * accepted.
   */
  answerRefund(deps: StoreDeps, owner: AppOwner, answer: RefundAnswerOfApp): Promise<void>;
  /** Signs a promotional offer with the key of the app; null for a store whose offers need none. Throws `NoCredentials`. */
  readonly signOffer: ((deps: StoreDeps, owner: AppOwner, offer: PromotionalOffer) => Promise<SignedOffer>) | null;
  /**
   * Reads what a receipt is about without recording it: at least one purchase line; null for a store whose receipts contain nothing
   * readable. Throws `Rejection` for an invalid one, and the errors of store requests.
   */
  readonly readReceipt:
    ((deps: StoreDeps, presented: PresentedReceipt) => Promise<readonly PresentedPurchase[]>) | null;
  /** Adds the recurring tasks of the app, once; they reschedule themselves as long as the app has credentials. */
  scheduleTasks(deps: StoreDeps, projectId: string, appId: string): Promise<void>;
  /** Returns the name under which the line of an import is recorded here; its own name if it is not. */
  nameImportedLine(deps: Deps, line: ImportedLineName): Promise<string>;
  /** Stores what an import has learned about a purchase, so that a later message finds its line. */
  recordImportedPurchase(deps: Deps, purchase: ImportedPurchaseName): Promise<void>;
  /** Adds one scan of all notifications that the store retains; null for a store that retains none. */
  readonly schedulePastNotifications: ((deps: StoreDeps, projectId: string, appId: string) => Promise<void>) | null;
  /** Adds tasks that look up orders which only a report of the store has; null for a store whose reports name no orders. */
  readonly scheduleOrderLookUps: ((deps: Deps, o: ReportedOrders) => Promise<void>) | null;
  /** Adds a task that reads the histories of purchases which groups of a report may be of; null for a store whose reports name orders. */
  readonly scheduleHistoryLookUps: ((deps: Deps, o: ReportedGroups) => Promise<void>) | null;
  /**
   * Finds financial reports at the server of the store; null for a store without one. Throws `ReportsRefused`, `Unavailable`, and the reason
   * of the signal.
   */
  readonly findReports: ((deps: StoreDeps, owner: AppOwner, o: ReportSearch) => Promise<readonly FoundReport[]>) | null;
  /** Runs a task of this integration. */
  runTask(deps: StoreDeps, owner: AppOwner, work: StoreWork): Promise<CompletedTask>;
};

/** Sender of a notification. `terms`: the non-secret fields of the app's credentials; `address`: the URL it was sent to. */
export type Sender = {
  readonly authorization: string | undefined;
  readonly terms: Readonly<Record<string, string | number | null>>;
  readonly address: string;
};

export type StoredNotification = Extract<RecordedEvent<InboxEvent>, { type: 'StoreNotificationReceived' }>;

/** Verified and decoded notification. */
export type ReadNotification = Pick<
  StoredNotification['data'],
  'key' | 'notificationType' | 'subtype' | 'decoded' | 'signedAt'
>;

export type AppliedNotification = {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly eventIds: readonly string[];
  /** Omitted if no customer is affected. */
  readonly customerId?: string | undefined;
};

/**
 * `contextOf`: returns the command context of a translation; equal translations have equal command ids. `isDryRun`: what would be recorded is
 * appended to a draft; nothing else is stored, and nothing is sent to a store.
 */
export type RetryOptions = {
  readonly contextOf: (event: StoredNotification, translated: LineUpdate | readonly LineUpdate[]) => CommandContext;
  readonly isDryRun: boolean;
};

/**
 * A transaction that represents its purchase line. `scope`: the current state, or everything that the store still knows; only a
 * subscription has more than one state. `found`: result of `findPurchaseTokens`, if it was called for it.
 */
export type OwnedPurchase = AppOwner & {
  readonly purchase: OneTimePurchaseRef;
  readonly isSubscription: boolean;
  readonly scope: 'state' | 'history';
  readonly found?: FoundToken | undefined;
};

/** `purchaseToken` of the order, null if it has none; or the store's refusal to show the order. */
type FoundToken = { readonly purchaseToken: string | null } | StoreRefusal;
/** Tokens by transaction ID. */
export type FoundTokens = ReadonlyMap<string, FoundToken>;

/**
 * What a store reported about a purchase line, as it was recorded. `commands`: of this line; none if the store does not know it.
 * `listsPast`: the response contains every transaction of the line, not only the current state.
 */
export type StoreReading = { readonly commands: readonly StoreCommand[]; readonly listsPast: boolean };

/** `pendingRefundToken`: names the question, where the store does that. The customer consents, if the store asks for that. */
export type RefundAnswerOfApp = {
  readonly transactionId: string;
  readonly environment: Environment;
  readonly pendingRefundToken: string | null;
  readonly preference: RefundPreference;
  readonly sampleContentProvided: boolean;
};

/** A purchase line as an import names it. */
export type ImportedLineName = { readonly projectId: string; readonly appId: string; readonly storeChainId: string };

/** `charges`: number of transactions of the line, counted from the first, that are recorded. */
export type ImportedPurchaseName = {
  readonly appId: string;
  readonly storeChainId: string;
  readonly storeProductId: string;
  readonly isSubscription: boolean;
  readonly charges: number;
};

export type Receipt = {
  readonly projectId: string;
  readonly app: StoreApp;
  readonly appUserId: string;
  /** Receipt as the store gave it to the device. */
  readonly receipt: string;
  readonly storeProductId: string | undefined;
  /** Name of what the device has bought, for a receipt that contains several purchases; it need not be right. */
  readonly bought?: NamedPurchase | undefined;
  readonly isRestore: boolean;
  /** The offering that the buyer was shown. */
  readonly offeringId: string | null;
  /** Price reported by the client; counts where the store reports none. */
  readonly claimed: Charge | null;
};

type NamedPurchase = {
  readonly transactionId: string | undefined;
  readonly storeProductId: string | undefined;
};

/** `appTransaction`: the store's signed proof that the device obtained the app. */
export type PresentedDownload = Pick<Receipt, 'projectId' | 'app' | 'appUserId'> & { readonly appTransaction: string };

export type PresentedReceipt = Pick<Receipt, 'projectId' | 'app' | 'receipt'>;
/** Purchase line that a receipt is about. */
export type PresentedPurchase = { readonly storeChainId: string; readonly isSubscription: boolean };

/** `accountToken`: the token with which the device will buy; empty without one. */
export type PromotionalOffer = {
  readonly storeProductId: string;
  readonly offerId: string;
  readonly accountToken: string;
};
/** `timestampMs`: time of the signature, since the epoch. */
export type SignedOffer = {
  readonly keyId: string;
  readonly signature: string;
  readonly nonce: string;
  readonly timestampMs: number;
};

/** Missing precondition of a receipt: the app's credentials, or the buyer's payment. */
export type MissingPrecondition = 'credentials_missing' | 'credentials_refused' | 'payment_pending';

/** `missing`: precondition of a receipt that was only queued. */
export type SubmittedReceipt = { readonly result: SubscriberResult; readonly missing: MissingPrecondition | null };

/** The integrations by kind. */
export type Stores = {
  /** Throws {@link UnknownStore}. */
  of(kind: StoreKind): StoreIntegration;
};

/** Dependencies of commands, with all stores. */
export type StoreDeps = Deps & { readonly stores: Stores };

export function storesOf(integrations: readonly StoreIntegration[]): Stores {
  const byKind = new Map(integrations.map((store) => [store.kind, store]));
  return {
    of: (kind) => {
      const found = byKind.get(kind);
      if (!found) throw new UnknownStore(kind);
      return found;
    },
  };
}
