// A store as the rest of the code uses it. Code that serves every store asks for the integration of a kind and knows no more of it.
import type { App } from '../../domain/project/events.js';
import type { SubscriptionPurchaseRef } from '../../domain/subscriber/events/blocks.js';
import { UnknownStore, type StoreKind } from '../../domain/store-kinds.js';
import type { Deps, Requester } from '../handling/deps.js';
import type { CommandContext } from '../handling/run-command.js';
import type { Charge } from '../../domain/catalog/assumed-price.js';
import type { OnSubscriber } from '../subscribers/subscribers.js';
import type { Applied, FindByAccountToken, NameTranslation, ReadNotification, Received } from './received.js';
import type { StoreWork, TaskDone } from './tasks.js';

export type AppOwner = { readonly projectId: string; readonly app: App };

/** What the working off and the asking of a store throw: `Unavailable`, `NoCredentials`, `StoreRefusal`, `UnprovenData`. */
export type StoreIntegration = {
  readonly kind: StoreKind;
  /** Whether a notification is worked off by asking the store: then it waits for a store that is away, beside those of other apps. */
  readonly asksToWorkOff: boolean;
  /**
   * Whether the sender may notify at all, before the body is read; null: the token in the address is enough. Throws
   * `NotificationRefused`.
   */
  readonly admit: ((deps: StoreDeps, sender: Sender) => Promise<void>) | null;
  /** Checks that a body is the store's and about the app. Throws `NotificationRefused`. */
  readNotification(deps: StoreDeps, app: App, body: unknown): Promise<ReadNotification>;
  /** Everything that the store said in a notification, with its signed parts decoded: also what this version does not understand. */
  wordsOf(rawBody: string): Readonly<Record<string, unknown>>;
  /**
   * By the `decoded` of a notification: whether the store's responder called all certificates good when it came. False where it was not
   * asked or did not respond; null for a store whose notifications bring no certificates.
   */
  revocationChecked(decoded: unknown): boolean | null;
  /** What serialises the work: the purchase line that a notification is about, by its `decoded`; null: none. */
  lineOf(decoded: unknown): string | null;
  /** Turns a kept notification into events and writes down what became of it. Nothing when that was done before. */
  workOff(deps: StoreDeps, find: FindByAccountToken, event: Received): Promise<void>;
  /** The same from the raw body, by the translator of this version, without writing down what became of it. */
  translateAgain(deps: StoreDeps, find: FindByAccountToken, event: Received, o: AgainOptions): Promise<Applied>;
  /** What a client presents, recorded for it. Throws `Rejection` for what is none, or another app's. */
  submitReceipt(deps: StoreDeps, find: FindByAccountToken, by: Requester, receipt: Receipt): Promise<Submitted>;
  /** The store's present response about a purchase, recorded. */
  askAgain(deps: StoreDeps, find: FindByAccountToken, about: OwnedPurchase, ctx: CommandContext): Promise<void>;
  /** The ids of an order's transactions, asked of the store; null where an order's id is that of its transaction. */
  readonly transactionsOfOrder:
    ((deps: StoreDeps, owner: AppOwner, orderId: string) => Promise<readonly string[]>) | null;
  /** Writes down the first of the tasks that go on by themselves as long as the app has credentials. Once for each app. */
  startTasks(deps: StoreDeps, projectId: string, appId: string): Promise<void>;
  /** Does a task that this integration wrote down. */
  doTask(deps: StoreDeps, find: FindByAccountToken, owner: AppOwner, work: StoreWork): Promise<TaskDone>;
};

/** Who sends a notification. `terms`: the fields of the app's credentials beside their secret; `address`: where it was sent. */
export type Sender = {
  readonly authorization: string | undefined;
  readonly terms: Readonly<Record<string, string | number | null>>;
  readonly address: string;
};

/** `isDryRun`: what would be recorded is appended to a draft; nothing else is stored, and nothing is sent to a store. */
export type AgainOptions = { readonly name: NameTranslation; readonly isDryRun: boolean };

export type OwnedPurchase = AppOwner & { readonly purchase: SubscriptionPurchaseRef };

export type Receipt = {
  readonly projectId: string;
  readonly app: App;
  readonly appUserId: string;
  /** As the store gave it to the device. */
  readonly receipt: string;
  readonly storeProductId: string | undefined;
  readonly isRestore: boolean;
  /** The offering that the buyer was shown. */
  readonly offeringId: string | null;
  /** The price that the client reports; counts where the store reports none. */
  readonly claimed: Charge | null;
};

/** What a receipt waits for: the app's credentials, or the buyer's payment. */
export type Missing = 'credentials_missing' | 'credentials_refused' | 'payment_pending';

/** `missing`: what the receipt waits for, where it could only be kept. */
export type Submitted = { readonly made: OnSubscriber; readonly missing: Missing | null };

/** The integrations by kind. */
export type Stores = {
  /** Throws {@link UnknownStore}. */
  of(kind: StoreKind): StoreIntegration;
};

/** What commands need, and all stores. */
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
