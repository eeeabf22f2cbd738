// IDs of commands, derived from their subject, so that a repeat is recognised. They are stored in the metadata of events: a changed ID
// makes a repeat a new command. All of them are defined here; commands of a request use the request's ID.

export const commandIds = {
  /** The content of a notification of a store. */
  notification: (inboxId: string) => `n|${inboxId}`,
  /** Command that stores certificates. */
  certificates: (key: string) => `certificates|${key}`,
  /** Command that records a notification as processed. */
  notificationProcessed: (inboxId: string) => `f|${inboxId}`,
  /** `translation`: a hash of what the translators make of the notification now. */
  reprocessed: (inboxId: string, translation: string) => `r|${inboxId}|${translation}`,
  /** `events`: a hash of the ids of what was added. */
  reprocessingRecorded: (inboxId: string, events: string) => `again|${inboxId}|${events}`,

  /** `signedDate`: ms since the epoch. */
  iosReceipt: (transactionId: string, appUserId: string, signedDate: number | null | undefined) =>
    `r|ios-store|${transactionId}|${appUserId}|${signedDate ?? ''}`,
  testPurchase: (token: string, appUserId: string) => `r|test-store|${token}|${appUserId}`,
  androidReceipt: (requestId: string) => `r|android-store|${requestId}`,
  /** A receipt that waited for its store. */
  keptReceipt: (requestId: string) => `k|${requestId}`,
  /** A further chain of one command. */
  furtherChain: (commandId: string, storeChainId: string) => `${commandId}|${storeChainId}`,
  /** The past of a chain, as its store showed it at an instant. */
  chainPast: (appId: string, transactionId: string, askedAt: string) => `h|${appId}|${transactionId}|${askedAt}`,
  /** The state of a chain, after its past. */
  chainNow: (pastId: string) => `${pastId}|now`,
  /** `entry`: how the list of voided purchases names it. */
  voidedPurchase: (appId: string, entry: string) => `v|${appId}|${entry}`,
  /** Store response to a request made before a deadline. */
  storeAsked: (target: string, dueAt: string, kind: string, askedAt: string) =>
    `q|${target}|${dueAt}|${kind}|${askedAt}`,

  /** Store response to a requested refresh. */
  refresh: (requestId: string, subscriptionId: string) => `refresh|${requestId}|${subscriptionId}`,

  /** A time of a subscription or a grant that has come. */
  deadline: (target: string, dueAt: string, kind: string) => `x|${target}|${dueAt}|${kind}`,
  lateRate: (transactionId: string, purchaseDay: string, rateDay: string | null) =>
    `p|${transactionId}|${purchaseDay}|${rateDay}`,
  ratesImport: (importId: string, from: number) => `rates|${importId}|${from}`,

  merge: (causeId: string) => `merge|${causeId}`,
  mergeCompleted: (eventId: string) => `m|${eventId}`,
  payersOf: (eventId: string) => `p|${eventId}`,
  seenOnDevice: (requestId: string) => `seen|${requestId}`,
  seenOnDay: (day: string) => `seen|${day}`,
  /** The purchases of an account token, after an event. */
  tokenNamed: (eventId: string, key: string) => `t|${eventId}|${key}`,
  lineOwner: (commandId: string, since: string) => `o|${commandId}|${since}`,
  lineReleased: (eventId: string) => `out|${eventId}`,
  lineTaken: (eventId: string) => `in|${eventId}`,

  enrolment: (requestId: string) => `e|${requestId}`,
  appDeleted: (appId: string) => `app-deleted|${appId}`,
  webhookOfEndedProject: (webhookId: string) => `project-ended|${webhookId}`,
  webhookGone: (deliveryId: string, attemptedAt: string) => `gone|${deliveryId}|${attemptedAt}`,
  /** Warning after a number of hours of failures since an instant. */
  webhookWarned: (webhookId: string, since: string, hours: number) => `warn|${webhookId}|${since}|${hours}`,
  webhookDisabled: (webhookId: string, since: string) => `disable|${webhookId}|${since}`,
  tokenReused: (sessionId: string) => `reuse|${sessionId}`,
} as const;
