// Description of each event in one line. A new event type does not compile without one.
import type { booksEvents } from '../../src/domain/books/events.js';
import type { catalogEvents } from '../../src/domain/catalog/catalog.js';
import type { offeringEvents } from '../../src/domain/catalog/offerings.js';
import type { paywallEvents } from '../../src/domain/catalog/paywalls.js';
import type { targetingEvents } from '../../src/domain/catalog/targeting.js';
import type { experimentEvents } from '../../src/domain/experiment/events.js';
import type { certificatesEvents } from '../../src/domain/inbox/packed-body.js';
import type { inboxEvents } from '../../src/domain/inbox/inbox.js';
import type { projectEvents } from '../../src/domain/project/events.js';
import type { purchaseEvents } from '../../src/domain/purchase/purchase.js';
import type { ratesEvents } from '../../src/domain/rates/rates.js';
import type { activityEvents, subscriberEvents } from '../../src/domain/subscriber/events/events.js';
import type { userEvents } from '../../src/domain/user/user.js';
import type { webhookEvents } from '../../src/domain/webhook/events.js';

type SubscriberEventName = keyof typeof subscriberEvents | keyof typeof activityEvents | keyof typeof purchaseEvents;
type CatalogEventName =
  keyof typeof catalogEvents | keyof typeof offeringEvents | keyof typeof paywallEvents | keyof typeof targetingEvents;
type ProjectEventName = keyof typeof projectEvents | keyof typeof experimentEvents | keyof typeof webhookEvents;
type OtherEventName =
  | keyof typeof userEvents
  | keyof typeof inboxEvents
  | keyof typeof certificatesEvents
  | keyof typeof ratesEvents
  | keyof typeof booksEvents;

const ofSubscribers: Readonly<Record<SubscriberEventName, string>> = {
  CustomerCreated: 'The customer was seen for the first time, by the app, the API or a purchase.',
  CustomerAttributesUpdated:
    'Attributes changed (`value: null`: removed). Without attributes: the app user ID was confirmed.',
  CustomerMerged: 'Another customer is the same person and was merged in, with its aliases, grants and experiments.',
  CustomerMergedInto: 'This customer was merged into another one; it only refers to that one from now on.',
  CustomerErased: 'The personal data of the customer was erased: the data keys named in `keys` are deleted.',
  SubscriptionPending: 'Bought, but not paid yet. It gives no access.',
  SubscriptionPendingCancelled: 'The pending payment was cancelled.',
  SubscriptionStarted:
    'A subscription began: a first purchase, a new one after an end, a change of product, a family share.',
  SubscriptionRenewed: 'A new period began, by a payment or as the first payment after a trial.',
  SubscriptionAutoRenewDisabled: 'It will not renew. It runs until `effectiveAt`.',
  SubscriptionAutoRenewEnabled: 'It will renew again.',
  SubscriptionConfirmed: 'The store reported the known state; its time determines the order of later messages.',
  SubscriptionBillingIssueDetected: 'The store could not charge the renewal.',
  SubscriptionGracePeriodEntered:
    'The store tries again to charge, and the subscription gives access until `gracePeriodExpiresAt`.',
  SubscriptionGracePeriodExpired: 'The grace period ended without a payment, and access with it.',
  SubscriptionBillingRetryEntered:
    'The subscription gives no access because of a missing payment; the store continues to try to charge.',
  SubscriptionPauseScheduled: 'The customer scheduled a pause, which begins at `pauseAt`.',
  SubscriptionPauseCancelled: 'The planned pause will not take place.',
  SubscriptionPaused: 'The pause began. No access.',
  SubscriptionExpired: 'The subscription ended. `by`: the store reported it (`store`), or time passed (`sweeper`).',
  SubscriptionRevoked: 'The subscription ended: the family share ended, or the store revoked the purchase.',
  SubscriptionExtended:
    'The end was moved to a later time, free of charge; to an earlier one if the store shows that the purchase was shortened.',
  SubscriptionExtensionFailed: 'The store could not extend the subscription as the developer had requested.',
  SubscriptionProductChangeScheduled: 'The next renewal will be for another product.',
  SubscriptionProductChangeCancelled: 'The planned change of product will not take place.',
  SubscriptionProductChanged:
    'The product changed, immediately or with a renewal. `toSubscriptionId` is the new subscription.',
  PriceIncreaseConsentRequested: 'The store asked the customer to accept a higher price.',
  PriceIncreaseAccepted: 'The customer accepted the higher price.',
  SubscriptionPriceChanged: 'The price changes at `effectiveAt`; no consent is needed.',
  OfferRedeemed: 'The customer redeemed an offer for a subscription.',
  SubscriptionMetadataChanged: 'The developer changed the metadata that the store has about the subscription.',
  SubscriptionMigrated: 'The store gave the purchase line another ID; the subscription stays the same.',
  OneTimePurchaseCompleted: 'A consumable, a non-consumable or a non-renewing subscription was bought.',
  OneTimePurchasePendingCancelled: 'A pending one-time purchase was cancelled without a payment.',
  OneTimePurchaseRevoked: 'Access to a one-time purchase was revoked.',
  TransactionRefunded:
    'A charge was refunded. `policy` is the setting of the app, `accessRevoked` whether the refund ended what was bought.',
  TransactionRefundReversed: 'A refund was reversed; the charge counts again.',
  RefundReversalDeferred: 'A reversal whose refund is not known yet. It applies as soon as the refund arrives.',
  RefundDeclined: 'The store declined a refund.',
  ConsumptionInformationRequested:
    'The store requests information about the use of a purchase before it decides on a refund.',
  RefundAnswerSent: 'What the app prefers about a refund was sent to the store, or the store did not take it.',
  TransactionPriceCorrected: 'A price or an exchange rate that was unknown at first became known.',
  PurchaseHistoryRevised:
    'A store update arrived late. `superseded` events are no longer valid, `line` is the purchase line from now on.',
  StoreUpdateRetained: 'A store update that changed nothing. It is retained, because an older one may still arrive.',
  PurchaseTransferred: 'A purchase line moved to another customer. In both streams, with the whole line as `snapshot`.',
  EntitlementGranted: 'An entitlement was granted without a purchase.',
  EntitlementRevoked: 'A grant was revoked.',
  EntitlementGrantExpired: 'A grant reached its end.',
  ExperimentEnrolled: 'The customer takes part in an experiment, with this variant from now on.',
  AppDownloadVerified:
    'The store’s signature shows when the customer downloaded the app for the first time, and in which version.',
  CustomerSeen: 'The customer used the app. At most one event per UTC day.',
  CustomEventRecorded: 'An event that the app itself defines.',
  PurchaseClaimed: 'The purchase line has its first owner, or its owner presents a receipt or an account token.',
  PurchaseOwnerChanged: 'The purchase line has another owner.',
};

const ofCatalog: Readonly<Record<CatalogEventName, string>> = {
  ProductCreated: 'A product of a store was added.',
  ProductDeleted: 'A product was removed. Purchases of it stay.',
  ProductPriceAdded: 'A price was added that is used if the store reports none.',
  ProductPriceDeleted: 'An assumed price was removed.',
  EntitlementCreated: 'An entitlement was defined.',
  EntitlementUpdated: 'Its name or description changed.',
  EntitlementDeleted: 'An entitlement was removed.',
  EntitlementProductAttached: 'A product unlocks the entitlement from now on.',
  EntitlementProductDetached: 'A product no longer unlocks the entitlement.',
  OfferingCreated: 'An offering was defined.',
  OfferingUpdated: 'An offering changed, became the current one, or was archived.',
  PackageCreated: 'A package was added to an offering.',
  PackageDeleted: 'A package was removed from an offering.',
  PackageProductAttached: 'A product was added to a package.',
  PackageProductDetached: 'A product was removed from a package.',
  PaywallCreated: 'A paywall was added to an offering.',
  PaywallUpdated: 'A paywall changed, or was published.',
  PaywallDeleted: 'A paywall was removed.',
  PlacementCreated: 'A place in the app at which it offers something was defined.',
  PlacementUpdated: 'A placement was renamed.',
  PlacementDeleted: 'A placement was removed.',
  TargetingRuleCreated: 'A rule that chooses the offerings of some customers was added at a position in their order.',
  TargetingRuleUpdated: 'A targeting rule changed, moved, or was switched on or off.',
  TargetingRuleDeleted: 'A targeting rule was removed.',
};

const ofProjects: Readonly<Record<ProjectEventName, string>> = {
  ProjectCreated: 'A project was created, with its settings.',
  ProjectUpdated: 'Settings changed.',
  ProjectDeleted: 'The project and everything in it can no longer be accessed. Its history stays.',
  AppRegistered: 'An app of one store was added.',
  AppSettingsUpdated: 'Settings of an app changed.',
  AppDeleted: 'An app was removed.',
  AppCredentialsRegistered:
    'Credentials for the API of the store were stored. The event contains only their fingerprint.',
  AppCredentialsDeleted: 'The credentials were deleted.',
  ReportSourceRegistered:
    'From now on the financial reports of an account are fetched each day. The event contains the account, and the fingerprint of its key.',
  ReportSourceDeleted: 'No more reports of the account are fetched.',
  RenewalExtensionCompleted: 'A request to extend many subscriptions is complete; each of them has its own events.',
  ExternalPurchaseTokenReceived: 'The ios-store reported a token for purchases outside the store.',
  AppConsentRescinded: 'A parent no longer allows a child to use the app.',
  ApiKeyCreated: 'An API key was created. The event contains only its SHA-256.',
  ApiKeyDeleted: 'An API key was deleted.',
  AnnotationAdded: 'A member added a note to a day, which charts show.',
  AnnotationDeleted: 'An annotation was deleted.',
  FigureWatchStarted: 'From now on a message is sent when the figure of a day leaves its usual band.',
  FigureWatchStopped: 'The figure of the chart is no longer watched.',
  FigureLeftBand: 'The figure of a day left the band that the same weekdays before make.',
  ImportConfirmed:
    'A member, an API key or the command line had a history imported. The counts are those of the dry run.',
  MemberInvited: 'A person was invited with a role. The event does not contain the token; the email is sealed.',
  InvitationWithdrawn: 'An invitation was revoked.',
  MemberJoined:
    'The invitation was accepted: the user is a member. The creator of the project is an owner without an invitation.',
  MemberRoleChanged: 'A member got another role.',
  MemberRemoved: 'A member was removed, or left.',
  ExperimentCreated: 'An experiment was drafted.',
  ExperimentUpdated: 'Its settings changed, or it was paused or resumed, or a winner was selected.',
  ExperimentStarted: 'The experiment enrols customers from now on.',
  ExperimentStopped: 'The experiment is over.',
  ExperimentDeleted: 'The experiment was removed.',
  ExperimentVariantAdded: 'A variant was added: an offering with a weight.',
  ExperimentVariantDeleted: 'A variant was removed.',
  WebhookCreated: 'A webhook was added.',
  WebhookUpdated: 'Its settings changed.',
  WebhookDeleted: 'The webhook was removed.',
  WebhookAuthorizationChanged:
    'The `Authorization` header of its requests was changed or removed. The value is a secret and not in the event.',
  WebhookSecretRotated: 'It has a new secret; the old one also signs for `graceHours`.',
  WebhookFailing: 'Every delivery has failed since this time.',
  WebhookDisabled: 'Nothing is sent any more; the event contains the cause.',
  WebhookEnabled: 'The webhook is enabled again.',
};

const ofOthers: Readonly<Record<OtherEventName, string>> = {
  StoreReportPartReceived:
    "A part of the lines of a store's financial report. It counts once the report itself was received.",
  BooksSettingsChanged: 'How the project counts revenue, its time zone, and the months of a purchase without an end.',
  BooksAccountsChanged: 'The chart of accounts of the journal changed.',
  MonthClosingPartRecorded: 'A part of the frozen figures of a month. They count once the month is closed.',
  MonthClosed: 'A month of the books was closed: its figures are frozen, and what becomes known later is a correction.',
  MonthReopened: 'The closing of a month was taken back; `reason` states why.',
  ReportDeclaredAbsent:
    'The report of a store for a month will not come, as somebody declared: purchases that no report has do not wait for it.',
  ReportAbsenceWithdrawn: 'The declaration was taken back: the month waits for the report again.',
  MonthCompleted:
    'No purchase of the month waits for a report any more, with the reports with which it was compared. Once a month.',
  MissingLinesFound:
    'A report has charges or refunds of apps of the project that were not recorded: how many, their sums, and the first of them.',
  OrdersLookedUp:
    'Orders that only a report has were looked up at the store: whether each was recorded, or why not. `orderId` of a line without an order is its report and line, `rep_…#5`. A later outcome of an order replaces the earlier one.',
  StoreReportReceived:
    'A financial report of a store was received in whole. A later one of the same kind, account and month replaces it.',
  UserRegistered: 'An account was created. An email can register only once: its keyed hash is the name of the stream.',
  UserLoggedIn: 'The user logged in, and a session began.',
  UserLogInFailed:
    'The password was wrong. The gap between two of these events grows from a minute to a day, until a login.',
  UserPasswordReset: 'An operator set a new password.',
  UserRenamed: 'The user changed the shown name.',
  UserPasswordChanged: 'The user changed the password; all other sessions ended.',
  UserSessionsEnded: 'The user ended one session, or all but the current one.',
  UserSecondFactorEnabled: 'From now on a login needs a code of the second factor, too.',
  UserSecondFactorDisabled: 'The second factor was removed, by the user or by an operator who reset the password.',
  UserRecoveryCodesReplaced: 'The user received new recovery codes; the former ones are void.',
  UserRecoveryCodeUsed: 'A recovery code was used instead of a code of the second factor.',
  RefreshTokenReuseDetected: 'A refresh token was used twice, so its session was ended.',
  StoreNotificationReceived:
    'A verified notification, as the store sent it, byte for byte; its certificates are stored in another stream.',
  StoreTestNotificationReceived: 'The notification was a test of the store.',
  StoreNotificationProcessed: 'The result of the notification, and the resulting events.',
  StoreNotificationReprocessed: 'A newer version added events to a stored notification.',
  SigningCertificatesKept: 'The header of a signed text, character for character.',
  ExchangeRatesPublished: 'The rates of one day, as the European Central Bank published them.',
  ExchangeRatesCorrected: 'Rates of a known day that are new or differ.',
};

export const eventMeanings: Readonly<Record<string, string>> = {
  ...ofSubscribers,
  ...ofCatalog,
  ...ofProjects,
  ...ofOthers,
};
