// Every projection there is. A new read model is added here and nowhere else.
import { appNotifications } from './app-notifications.js';
import { entitlements, products, unlocks } from './catalogue.js';
import { chartPeople } from './charts/people.js';
import { customEvents } from './custom-events.js';
import { customers } from './customers.js';
import { experiments } from './experiments.js';
import { offerings } from './offerings.js';
import { paywalls } from './paywalls.js';
import type { Projection } from './projection.js';
import { apiKeys, apps, projects } from './projects.js';
import { setupStatus } from './setup-status.js';
import { transactions } from './transactions.js';
import { users } from './users.js';
import { webhooks } from './webhooks.js';

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
  customers,
  transactions,
  chartPeople,
  setupStatus,
  appNotifications,
  webhooks,
  experiments,
  customEvents,
];
