// IDs of commands, derived from their subject, so that a repeat is recognised. They are stored in the metadata of events: a changed ID
// makes a repeat a new command. All of them are defined here; commands of a request use the request's ID.

export const commandIds = {
  /** Command that receives and applies a store notification. */
  notification: (inboxId: string) => `n|${inboxId}`,
  /** Command that stores certificates. */
  certificates: (key: string) => `certificates|${key}`,
  /** Command that records a notification as processed. */
  notificationProcessed: (inboxId: string) => `f|${inboxId}`,
  /** `translation`: hash of the current translation of the notification. */
  reprocessed: (inboxId: string, translation: string) => `r|${inboxId}|${translation}`,
  /** `events`: hash of the ids of the added events. */
  reprocessingRecorded: (inboxId: string, events: string) => `again|${inboxId}|${events}`,

  /** `signedDate`: ms since the epoch. */
  iosReceipt: (transactionId: string, appUserId: string, signedDate: number | null | undefined) =>
    `r|ios-store|${transactionId}|${appUserId}|${signedDate ?? ''}`,
  testPurchase: (token: string, appUserId: string) => `r|test-store|${token}|${appUserId}`,
  /** A chain of the history that a restore has brought. */
  restoredChain: (requestId: string, storeChainId: string) => `restore|${requestId}|${storeChainId}`,
  /** Several purchases of a chain that one receipt has brought. */
  receiptChain: (requestId: string, storeChainId: string) => `receipt|${requestId}|${storeChainId}`,
  /** A request may also record a purchase, and attributes. */
  appDownload: (requestId: string) => `download|${requestId}`,
  androidReceipt: (requestId: string) => `r|android-store|${requestId}`,
  /** Command of a queued receipt. */
  queuedReceipt: (requestId: string) => `k|${requestId}`,
  /** Command for a further chain of the same purchase. */
  furtherChain: (commandId: string, storeChainId: string) => `${commandId}|${storeChainId}`,
  /** Command that records the history of a chain as its store reported it at an instant. */
  chainHistory: (appId: string, transactionId: string, requestedAt: string) =>
    `h|${appId}|${transactionId}|${requestedAt}`,
  /** Command that records the state of a chain, after its history. */
  chainStatus: (pastId: string) => `${pastId}|now`,
  /** `entry`: key of the entry in the list of voided purchases. */
  voidedPurchase: (appId: string, entry: string) => `v|${appId}|${entry}`,
  /** Store response to a request made before a deadline. */
  storeRequest: (target: string, dueAt: string, kind: string, requestedAt: string) =>
    `q|${target}|${dueAt}|${kind}|${requestedAt}`,

  /** Store response to a requested refresh. */
  refresh: (requestId: string, subscriptionId: string) => `refresh|${requestId}|${subscriptionId}`,

  /** Answer to the question of a store about a refund, which waits until `respondBy`. */
  refundAnswer: (transactionId: string, respondBy: string) => `refund-answer|${transactionId}|${respondBy}`,
  /** The answer of the app's setting, which the store refused. */
  refusedRefundAnswer: (transactionId: string, respondBy: string) => `refund-refused|${transactionId}|${respondBy}`,

  /** Store response about an imported purchase line. */
  verifiedLine: (verificationId: string, storeChainId: string) => `verify|${verificationId}|${storeChainId}`,

  /** Passed deadline of a subscription or a grant. */
  deadline: (target: string, dueAt: string, kind: string) => `x|${target}|${dueAt}|${kind}`,
  lateRate: (transactionId: string, purchaseDay: string, rateDay: string | null) =>
    `p|${transactionId}|${purchaseDay}|${rateDay}`,
  ratesImport: (importId: string, from: number) => `rates|${importId}|${from}`,

  /** Parts of an import, each named by a keyed digest of its facts: a repeat changes nothing, and newer facts are a new command. */
  importedCustomer: (digest: string) => `import|customer|${digest}`,
  confirmedImport: (importId: string) => `import|confirmed|${importId}`,
  importedLine: (digest: string) => `import|line|${digest}`,
  importedAlias: (customerId: string, aliasId: string) => `import|alias|${customerId}|${aliasId}`,

  merge: (causeId: string) => `merge|${causeId}`,
  mergeCompleted: (eventId: string) => `m|${eventId}`,
  payersOf: (eventId: string) => `p|${eventId}`,
  seenOnDevice: (requestId: string) => `seen|${requestId}`,
  seenOnDay: (day: string) => `seen|${day}`,
  /** Assignment of the purchases of an account token, after an event. */
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
  /** `day`: UTC day. */
  figureLeftBand: (projectId: string, chartId: string, day: string) => `figure|${projectId}|${chartId}|${day}`,
  /** Findings of a comparison that no event made necessary. */
  booksCompared: (projectId: string) => `books|${projectId}`,
  monthCompleted: (projectId: string, month: string) => `completed|${projectId}|${month}`,
  linesMissing: (reportId: string) => `missing|${reportId}`,
  /** Purchase of an order that a report named first. */
  reportedOrder: (reportId: string, orderId: string) => `reported|${reportId}|${orderId}`,
  reportedRefund: (reportId: string, orderId: string) => `reported|${reportId}|${orderId}|refund`,
  /** History of a purchase that may be among the groups of a report. */
  reportedHistory: (reportId: string, transactionId: string) => `reported|${reportId}|history|${transactionId}`,
  /** `results`: hash of the outcomes. */
  ordersLookedUp: (reportId: string, results: string) => `looked-up|${reportId}|${results}`,
  tokenReused: (sessionId: string) => `reuse|${sessionId}`,
} as const;
