// List of all projections. A new read model is added here and nowhere else.
import { accountTokens } from '../models/account-tokens.js';
import { annotations } from '../models/annotations.js';
import { appNotifications } from '../models/app-notifications.js';
import { bookClosings } from '../models/book-closings.js';
import { entitlements, products, unlocks } from '../models/catalogue.js';
import { changes } from '../models/changes.js';
import { customerHistories } from '../charts/customer-histories.js';
import { customEvents } from '../models/custom-events.js';
import { customers } from '../models/customers.js';
import { experiments } from '../models/experiments.js';
import { notifications } from '../models/notifications.js';
import { offerings } from '../models/offerings.js';
import { paywalls } from '../models/paywalls.js';
import { targeting } from '../models/targeting.js';
import { refundRequests } from '../models/refund-requests.js';
import type { Projection } from '../runtime/projection.js';
import { apiKeys, apps, projects } from '../models/projects.js';
import { setupStatus } from '../queries/setup-status.js';
import { orderLookUps } from '../models/order-look-ups.js';
import { storeReports } from '../models/store-reports.js';
import { transactions } from '../models/transactions.js';
import { users } from '../models/users.js';
import { watchedFigures } from '../models/watched-figures.js';
import { webhooks } from '../models/webhooks.js';

export const projections: readonly Projection[] = [
  users,
  projects,
  apps,
  apiKeys,
  products,
  entitlements,
  unlocks,
  offerings,
  paywalls,
  targeting,
  customers,
  accountTokens,
  transactions,
  customerHistories,
  setupStatus,
  appNotifications,
  notifications,
  webhooks,
  experiments,
  customEvents,
  refundRequests,
  annotations,
  watchedFigures,
  changes,
  storeReports,
  orderLookUps,
  bookClosings,
];
