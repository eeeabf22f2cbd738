// List of all endpoints. SDK paths come first, since they are requested most.
import type { Route } from './dispatch/route.js';
import { accountRoutes } from './accounts/account-routes.js';
import { annotationRoutes } from './charts/annotation-routes.js';
import { accessRoutes, customerRoutes } from './customers/routes.js';
import { customerSegmentRoutes } from './customers/segment-routes.js';
import { apiKeyRoutes } from './accounts/api-key-routes.js';
import { appRoutes } from './projects/app-routes.js';
import { auditRoutes } from './audit/routes.js';
import { authRoutes } from './accounts/auth-routes.js';
import { bookRoutes } from './books/routes.js';
import { absenceRoutes } from './books/absence-routes.js';
import { reportSourceRoutes } from './books/source-routes.js';
import { closingRoutes } from './books/closing-routes.js';
import { revenueRoutes } from './books/revenue-routes.js';
import { compareRoutes } from './charts/compare/routes.js';
import { notificationCheckRoutes } from './projects/notification-check.js';
import { testPurchaseRoutes } from './projects/test-purchase-routes.js';
import { credentialRoutes } from './projects/credential-routes.js';
import { customEventRoutes } from './customers/custom-event-routes.js';
import { deliveryRoutes } from './webhooks/delivery-routes.js';
import { demoRoutes } from './demo/routes.js';
import { entitlementRoutes } from './catalog/entitlement-routes.js';
import { erasureRoutes, subscriberRoutes } from './subscribers/routes.js';
import { eventRoutes } from './subscribers/event-routes.js';
import { experimentRoutes } from './experiments/routes.js';
import { importRoutes } from './imports/routes.js';
import { acceptRoutes, memberRoutes } from './members/routes.js';
import { moneyRoutes } from './customers/money-routes.js';
import { notificationRoutes } from './notifications/routes.js';
import { liveRoutes } from './live/routes.js';
import { metricRoutes } from './charts/routes.js';
import { offeringRoutes, packageRoutes } from './catalog/offering-routes.js';
import { offeringPreviewRoutes } from './catalog/offering-preview.js';
import { paywallRoutes } from './catalog/paywall-routes.js';
import { productRoutes } from './catalog/product-routes.js';
import { purchaseRoutes } from './customers/purchase-routes.js';
import { projectRoutes } from './projects/project-routes.js';
import { receiptRoutes } from './subscribers/receipt-routes.js';
import { replayRoutes } from './replays/routes.js';
import { sdkOfferingRoutes } from './catalog/sdk-offering-routes.js';
import { targetingRoutes } from './catalog/targeting-routes.js';
import { simulationRoutes } from './simulation/routes.js';
import { storeRoutes } from './stores/routes.js';
import { refundRequestRoutes } from './customers/refund-request-routes.js';
import { segmentRoutes } from './charts/segments.js';
import { bandRoutes } from './charts/band-routes.js';
import { definitionRoutes } from './charts/definition-routes.js';
import { viewRoutes } from './charts/view-routes.js';
import { webhookRoutes } from './webhooks/routes.js';

export const routes: readonly Route[] = [
  ...subscriberRoutes,
  ...receiptRoutes,
  ...sdkOfferingRoutes,
  ...eventRoutes,
  ...erasureRoutes,
  ...storeRoutes,
  ...authRoutes,
  ...accountRoutes,
  ...acceptRoutes,
  ...projectRoutes,
  ...demoRoutes,
  ...memberRoutes,
  ...apiKeyRoutes,
  ...appRoutes,
  ...notificationCheckRoutes,
  ...testPurchaseRoutes,
  ...credentialRoutes,
  ...productRoutes,
  ...entitlementRoutes,
  ...offeringRoutes,
  ...packageRoutes,
  ...paywallRoutes,
  ...targetingRoutes,
  ...customerRoutes,
  ...customerSegmentRoutes,
  ...offeringPreviewRoutes,
  ...accessRoutes,
  ...purchaseRoutes,
  ...customEventRoutes,
  ...refundRequestRoutes,
  ...moneyRoutes,
  ...revenueRoutes,
  ...absenceRoutes,
  ...closingRoutes,
  ...reportSourceRoutes,
  ...bookRoutes,
  ...liveRoutes,
  ...notificationRoutes,
  ...auditRoutes,
  ...metricRoutes,
  ...segmentRoutes,
  ...definitionRoutes,
  ...bandRoutes,
  ...compareRoutes,
  ...replayRoutes,
  ...viewRoutes,
  ...annotationRoutes,
  ...simulationRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...experimentRoutes,
  ...importRoutes,
];
