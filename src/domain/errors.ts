// The errors that cross layers: thrown in one, caught in others. Classes without behaviour, so that catching one needs no port and no
// adapter. What only its own layer catches, or whoever calls the function that throws it, stays where it is thrown.
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

/** Another writer was first, or the caller's picture of the stream is wrong. */
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

/** Unavailable for a moment. The message is for the caller, with what to do; that of another `Unavailable` may name hosts and files. */
export class RetryLater extends Unavailable {}

/** The API of an app store cannot be reached, or asks to come later. */
export class StoreUnavailable extends Unavailable {}

/** The command was meant for a customer that has been merged into another: ask that one. */
export class MergedElsewhere extends Error {
  constructor(
    readonly customerId: string,
    readonly appUserId: string,
  ) {
    super(`merged into ${customerId}`);
    this.name = 'MergedElsewhere';
  }
}

/** Names the event at which code and log do not fit; repair the one or the other and build again. */
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

/** A scan was to go on at a cursor that was not made by the same scan. */
export class BadCursor extends Error {
  constructor() {
    super('the cursor does not belong to this list');
    this.name = 'BadCursor';
  }
}

/** A sealed text was made with another key or for another purpose, or was changed. */
export class CannotOpen extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotOpen';
  }
}

/** A private key that may not sign. The message says what to do; it contains nothing of the key. */
export class UnusableKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableKey';
  }
}

/** Why no response came. `blocked`: the address is not a public one and not allowed by the configuration. */
export type OutboundFailureCode = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'closed';

/** A request to another server had no response. */
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
 * A notification that is not kept. `unreadable`: it never will be right. `unproven`: it may be anybody's. `other-app`: the store's own,
 * about another app. `about`: the store's name of that, where the sender proves nothing with it.
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

/** A store took the question and refused it. `forbidden`: asking again helps only after somebody has changed the credentials. */
export abstract class StoreRefusal extends Error {
  abstract readonly reason: string;
}

/** Data that claims to be a store's cannot be relied on. */
export abstract class UnprovenData extends Error {}

/**
 * `unreadable`: not a JWS of the expected form, or its payload lacks required fields; it never will be right.
 * `bad_signature`: signature, certificates or their dates fail. `wrong_environment`: rightly signed, for a test tool.
 * `other_app`: rightly signed, for another app.
 */
export type InvalidReason = 'unreadable' | 'bad_signature' | 'wrong_environment' | 'other_app';

/** Data that claims to be signed by the ios-store cannot be relied on. */
export class InvalidSignedData extends UnprovenData {
  constructor(
    readonly reason: InvalidReason,
    detail: string,
  ) {
    super(`ios-store signed data refused (${reason}): ${detail}`);
    this.name = 'InvalidSignedData';
  }
}

/** Why a push identity token was refused; for the log, not for the sender. */
export class InvalidPushToken extends Error {
  constructor(detail: string) {
    super(`push identity token refused: ${detail}`);
    this.name = 'InvalidPushToken';
  }
}

/** The ios-store took the question and refused it: `forbidden` when the key is not one for this app. */
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
 * `unknown`: no such purchase of this app, or none yet. `invalid`: it cannot be one. `gone`: it ended so long ago that the store forgot
 * it. `forbidden`: the service account is wrong or may not see it: asking again helps only after somebody has changed something.
 */
export type StoreRefusalReason = 'unknown' | 'invalid' | 'gone' | 'forbidden';

/** The android-store took the question and refused it. */
export class AndroidStoreRefusal extends StoreRefusal {
  constructor(
    readonly reason: StoreRefusalReason,
    detail: string,
  ) {
    super(`android-store refused (${reason}): ${detail}`);
    this.name = 'AndroidStoreRefusal';
  }
}

/** The app has no credentials with which its store could be asked. */
export class NoCredentials extends Error {
  constructor(
    appId: string,
    readonly store: StoreKind,
  ) {
    super(`app ${appId} has no credentials of the ${store}`);
    this.name = 'NoCredentials';
  }
}

/** The store does not show yet what its notification was about: its responses lag behind its notifications. A later request may find it. */
export class NotShownYet extends Error {
  constructor(what: string) {
    super(`the store does not show ${what} yet`);
    this.name = 'NotShownYet';
  }
}
