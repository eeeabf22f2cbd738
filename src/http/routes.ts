// The table of all endpoints. SDK paths come first: they are asked most.
import type { Route } from './route.js';
import { apiKeyRoutes } from './routes/api-keys.js';
import { appRoutes } from './routes/apps.js';
import { authRoutes } from './routes/auth.js';
import { credentialRoutes } from './routes/credentials.js';
import { customEventRoutes } from './routes/custom-events.js';
import { customerRoutes } from './routes/customers.js';
import { deliveryRoutes } from './routes/deliveries.js';
import { entitlementRoutes } from './routes/entitlements.js';
import { erasureRoutes } from './routes/erasure.js';
import { eventRoutes } from './routes/events.js';
import { experimentRoutes } from './routes/experiments.js';
import { metricRoutes } from './routes/metrics.js';
import { offeringRoutes } from './routes/offerings.js';
import { packageRoutes } from './routes/packages.js';
import { paywallRoutes } from './routes/paywalls.js';
import { productRoutes } from './routes/products.js';
import { projectRoutes } from './routes/projects.js';
import { receiptRoutes } from './routes/receipts.js';
import { sdkOfferingRoutes } from './routes/sdk-offerings.js';
import { storeRoutes } from './routes/store.js';
import { subscriberRoutes } from './routes/subscribers.js';
import { webhookRoutes } from './routes/webhooks.js';

export const routes: readonly Route[] = [
  ...subscriberRoutes,
  ...receiptRoutes,
  ...sdkOfferingRoutes,
  ...eventRoutes,
  ...erasureRoutes,
  ...storeRoutes,
  ...authRoutes,
  ...projectRoutes,
  ...apiKeyRoutes,
  ...appRoutes,
  ...credentialRoutes,
  ...productRoutes,
  ...entitlementRoutes,
  ...offeringRoutes,
  ...packageRoutes,
  ...paywallRoutes,
  ...customerRoutes,
  ...customEventRoutes,
  ...metricRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...experimentRoutes,
];
