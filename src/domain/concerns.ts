// The concerns that an event may touch. Each concern has a few readers, which process the events that touch it and no others.

/** Concerns of a customer's events. */
export const customerConcerns = {
  profile:
    'The identity and holdings of the customer: attributes, grants, experiments, one-time purchases, and purchases that move as a whole.',
  subscription: 'The state of one subscription: its period, renewal, grace, pause, price and end.',
  transactions: 'The record of each charge, with its refunds and corrections.',
  money: 'The total that the customer has paid.',
  notices: 'No state. The name of the event is stored, so that a repeat is not recorded again.',
  refundRequests: 'Questions of the stores about a refund, and their decisions.',
  charts: 'The measures of the charts.',
  webhooks:
    'Messages to webhooks for this event. `ENTITLEMENT_CHANGED` follows from access, whichever event changed it.',
} as const;

/** Concerns of a project's events. */
export const projectConcerns = {
  project: 'The settings and the members of the project.',
  apps: 'The apps, and the addresses to which their notifications are forwarded.',
  credentials: "The credentials for an app's store.",
  keys: 'The API keys.',
  annotations: 'The notes of members on a day of the charts.',
  cleanup: 'Records to delete after an app or the project is deleted.',
} as const;

export type CustomerConcern = keyof typeof customerConcerns;
export type ProjectConcern = keyof typeof projectConcerns;
export type Concern = CustomerConcern | ProjectConcern;
