// The errors that are thrown in one layer and caught in others. They have no behaviour, so that catching one needs no port and no
// adapter. An error that only its own layer or a direct caller catches is declared where it is thrown.
import type { LookProblem } from './books/look-problems.js';
import type { RecordedEvent, Revision, StreamName } from './envelope.js';
import type { StoreKind } from './store-kinds.js';

export type RejectionKind = 'invalid' | 'forbidden' | 'missing' | 'conflict';

/** A rule refused the request. `code`: kebab-case, for programs; `message`: for people, with what to do. */
export class Rejection extends Error {
  constructor(
    readonly kind: RejectionKind,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'Rejection';
  }
}

/** The stream is not at the expected revision: another writer was first, or the caller's state is wrong. */
export class WrongRevision extends Error {
  constructor(
    readonly stream: StreamName,
    readonly expected: 'none' | 'any' | Revision,
    readonly actual: Revision | 'none',
  ) {
    super(`stream ${stream} is at ${actual}, expected ${expected}`);
    this.name = 'WrongRevision';
  }
}

/** A dependency cannot be reached or is too busy. The outcome of a write is unknown. */
export class Unavailable extends Error {
  constructor(
    message: string,
    readonly retryAfterSeconds = 5,
  ) {
    super(message);
    this.name = 'Unavailable';
  }
}

/** A temporary failure. Its message is safe to send to the caller; the message of another `Unavailable` may contain hosts and files. */
export class RetryLater extends Unavailable {}

/** The API of an app store cannot be reached, or it responded that requests must wait. */
export class StoreUnavailable extends Unavailable {}

/** The customer of the command has been merged into another customer: repeat the command for that one. */
export class MergedElsewhere extends Error {
  constructor(
    readonly customerId: string,
    readonly appUserId: string,
  ) {
    super(`merged into ${customerId}`);
    this.name = 'MergedElsewhere';
  }
}

/** A projection cannot process an event of the log. The message names the event; fix the code or the log and rebuild. */
export class CannotFold extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotFold';
  }

  static at(projection: string, event: RecordedEvent, cause: unknown): CannotFold {
    const why = cause instanceof Error ? cause.message : String(cause);
    const place = `${event.type} ${event.id} (position ${event.position})`;
    return new CannotFold(`${projection} cannot fold ${place}: ${why}`, { cause });
  }
}

/** A scan was continued at a cursor of another scan. */
export class BadCursor extends Error {
  constructor() {
    super('the cursor does not belong to this list');
    this.name = 'BadCursor';
  }
}

/** A sealed text cannot be opened: it was sealed with another key or for another purpose, or it was changed. */
export class CannotOpen extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotOpen';
  }
}

/** A private key cannot be used for signing. The message describes the remedy and contains nothing of the key. */
export class UnusableKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableKey';
  }
}

/** Cause of a missing response. `blocked`: the address is not public and not allowed by the configuration. */
export type OutboundFailureCode = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'closed';

/** A request to another server received no response. */
export class OutboundFailure extends Error {
  constructor(
    readonly code: OutboundFailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundFailure';
  }
}

/**
 * A notification was refused and is not stored. `unreadable`: a retry cannot succeed. `unproven`: its sender is not authenticated.
 * `other-app`: it was sent by the store and is about another app. `about`: the store's name of that app, where it is safe to disclose.
 */
export class NotificationRefused extends Error {
  constructor(
    readonly reason: 'unreadable' | 'unproven' | 'other-app',
    message: string,
    readonly about: string | null = null,
  ) {
    super(message);
    this.name = 'NotificationRefused';
  }
}

/** A store cannot be asked about a purchase, or what it responded cannot be used. The service itself works. */
export abstract class StoreFault extends Error {}

/** A store received a request and refused it. `forbidden`: a retry succeeds only after the credentials have been changed. */
export abstract class StoreRefusal extends StoreFault {
  abstract readonly reason: string;
}

/** Data presented as a store's cannot be authenticated. */
export abstract class UnprovenData extends StoreFault {}

/**
 * `unreadable`: not a JWS of the expected form, or its payload lacks required fields; a retry cannot succeed.
 * `bad_signature`: the signature, the certificates or their dates are invalid. `wrong_environment`: validly signed, for a test tool.
 * `other_app`: validly signed, for another app.
 */
export type InvalidReason = 'unreadable' | 'bad_signature' | 'wrong_environment' | 'other_app';

/** Data presented as signed by the ios-store is invalid. */
export class InvalidSignedData extends UnprovenData {
  constructor(
    readonly reason: InvalidReason,
    detail: string,
  ) {
    super(`ios-store signed data refused (${reason}): ${detail}`);
    this.name = 'InvalidSignedData';
  }
}

/** A push identity token was refused. The message is for the log, not for the sender. */
export class InvalidPushToken extends Error {
  constructor(detail: string) {
    super(`push identity token refused: ${detail}`);
    this.name = 'InvalidPushToken';
  }
}

/** The ios-store received a request and refused it. `forbidden`: the key is not valid for this app. */
export class IosStoreRefusal extends StoreRefusal {
  constructor(
    readonly reason: 'forbidden' | 'invalid',
    detail: string,
  ) {
    super(`the ios-store refused (${reason}): ${detail}`);
    this.name = 'IosStoreRefusal';
  }
}

/**
 * `unknown`: the app has no such purchase, or not yet. `invalid`: it cannot be a purchase. `gone`: it ended so long ago that the store
 * deleted it. `forbidden`: the service account is wrong or lacks permission; a retry succeeds only after that has been changed.
 */
export type StoreRefusalReason = 'unknown' | 'invalid' | 'gone' | 'forbidden';

/** The android-store received a request and refused it. */
export class AndroidStoreRefusal extends StoreRefusal {
  constructor(
    readonly reason: StoreRefusalReason,
    detail: string,
  ) {
    super(`android-store refused (${reason}): ${detail}`);
    this.name = 'AndroidStoreRefusal';
  }
}

/** A purchase was imported by its orders, and its purchase token cannot be found: the store cannot be requested about it. */
export class UnknownPurchaseToken extends StoreRefusal {
  readonly reason = 'no-token';

  constructor() {
    super('the purchase token is unknown; import a file with user_id, google_purchase_token, google_product_id');
    this.name = 'UnknownPurchaseToken';
  }
}

/** The report server of a store answered, and there is nothing to read. The message says in words what is missing. */
export class ReportsRefused extends StoreFault {
  constructor(
    readonly problem: LookProblem,
    message: string,
  ) {
    super(message);
    this.name = 'ReportsRefused';
  }
}

/** The app has no credentials for requests to its store. */
export class NoCredentials extends StoreFault {
  constructor(
    appId: string,
    readonly store: StoreKind,
  ) {
    super(`app ${appId} has no credentials for the ${store}`);
    this.name = 'NoCredentials';
  }
}

/** The store's API does not return the subject of its notification yet, because responses lag behind notifications. Retry later. */
export class NotShownYet extends StoreFault {
  constructor(what: string) {
    super(`the store does not show ${what} yet`);
    this.name = 'NotShownYet';
  }
}

/** An upload that cannot be accepted. The message says what to do. */
export class UploadRefused extends Error {
  constructor(
    readonly reason: 'too-large' | 'empty' | 'name-taken',
    message: string,
  ) {
    super(message);
    this.name = 'UploadRefused';
  }
}
