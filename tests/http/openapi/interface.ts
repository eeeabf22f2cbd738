// The paths of the interface as it was asked for, its extensions, and what operators and readers ask. Written down here by hand:
// the route table is compared with it.

export const endpoints: readonly string[] = `
POST /auth/register
POST /auth/login
POST /auth/refresh
GET /auth/me
GET /v1/projects
POST /v1/projects
GET /v1/projects/:id
PATCH /v1/projects/:id
DELETE /v1/projects/:id
GET /v1/projects/:id/setup-status
GET /v1/projects/:id/api-keys
POST /v1/projects/:id/api-keys
DELETE /v1/projects/:id/api-keys/:keyId
GET /v1/projects/:id/apps
POST /v1/projects/:id/apps
GET /v1/projects/:id/apps/:appId
PATCH /v1/projects/:id/apps/:appId
DELETE /v1/projects/:id/apps/:appId
POST /v1/projects/:id/apps/:appId/credentials/ios-store
POST /v1/projects/:id/apps/:appId/credentials/android-store
GET /v1/projects/:id/apps/:appId/credentials/status
DELETE /v1/projects/:id/apps/:appId/credentials
GET /v1/projects/:id/products
POST /v1/projects/:id/products
GET /v1/projects/:id/products/:pid
DELETE /v1/projects/:id/products/:pid
POST /v1/projects/:id/products/:pid/prices
DELETE /v1/projects/:id/products/:pid/prices/:priceId
GET /v1/projects/:id/entitlements
POST /v1/projects/:id/entitlements
GET /v1/projects/:id/entitlements/:eid
PATCH /v1/projects/:id/entitlements/:eid
DELETE /v1/projects/:id/entitlements/:eid
GET /v1/projects/:id/entitlements/:eid/products
POST /v1/projects/:id/entitlements/:eid/products
DELETE /v1/projects/:id/entitlements/:eid/products
GET /v1/projects/:id/offerings
POST /v1/projects/:id/offerings
PATCH /v1/projects/:id/offerings/:oid
GET /v1/projects/:id/offerings/:oid/packages
POST /v1/projects/:id/offerings/:oid/packages
DELETE /v1/projects/:id/offerings/:oid/packages/:pid
POST /v1/projects/:id/offerings/:oid/packages/:pid/products
DELETE /v1/projects/:id/offerings/:oid/packages/:pid/products
GET /v1/projects/:id/paywalls
POST /v1/projects/:id/paywalls
GET /v1/projects/:id/paywalls/:pwid
PATCH /v1/projects/:id/paywalls/:pwid
DELETE /v1/projects/:id/paywalls/:pwid
GET /v1/projects/:id/customers
GET /v1/projects/:id/customers/:cid
GET /v1/projects/:id/webhooks
POST /v1/projects/:id/webhooks
GET /v1/projects/:id/webhooks/:wid
PATCH /v1/projects/:id/webhooks/:wid
DELETE /v1/projects/:id/webhooks/:wid
GET /v1/projects/:id/experiments
POST /v1/projects/:id/experiments
GET /v1/projects/:id/experiments/:eid
PATCH /v1/projects/:id/experiments/:eid
DELETE /v1/projects/:id/experiments/:eid
POST /v1/projects/:id/experiments/:eid/variants
DELETE /v1/projects/:id/experiments/:eid/variants/:vid
GET /v1/projects/:id/metrics/overview
GET /v1/projects/:id/metrics/charts
GET /v1/projects/:id/metrics/charts/:chartId
GET /v1/subscribers/:appUserId
POST /v1/subscribers/:appUserId
POST /v1/subscribers/:appUserId/attributes
POST /v1/subscribers/:appUserId/entitlements
DELETE /v1/subscribers/:appUserId/entitlements/:eid
POST /v1/subscribers/:appUserId/receipts
GET /v1/offerings
GET /v1/offerings/:oid/paywalls
GET /v1/subscribers/:appUserId/offerings
POST /v1/events
POST /v1/store/ios-store/:token
POST /v1/store/android-store/:token
`
  .trim()
  .split('\n');

export const extensions: readonly string[] = [
  'POST /auth/logout',
  'POST /v1/demo',
  'GET /v1/api-key',
  'POST /v1/projects/:id/demo/purchase',
  'GET /v1/projects/:id/customers/:cid/timeline',
  'GET /v1/projects/:id/webhooks/:wid/deliveries',
  'POST /v1/projects/:id/webhooks/:wid/deliveries/:did/redeliver',
  'POST /v1/projects/:id/webhooks/:wid/replay',
  'POST /v1/projects/:id/webhooks/:wid/test',
  'GET /v1/projects/:id/webhooks/:wid/examples',
  'GET /v1/projects/:id/metrics/charts/:chartId/customers',
  'GET /v1/projects/:id/refund-requests',
  'GET /v1/projects/:id/metrics/charts/:chartId/segments',
  'GET /v1/projects/:id/metrics/charts/:chartId/compare',
  'GET /v1/projects/:id/metrics/charts/:chartId/compare/customers',
  'GET /v1/projects/:id/placements',
  'POST /v1/projects/:id/placements',
  'PATCH /v1/projects/:id/placements/:plid',
  'DELETE /v1/projects/:id/placements/:plid',
  'GET /v1/projects/:id/targeting-rules',
  'POST /v1/projects/:id/targeting-rules',
  'PATCH /v1/projects/:id/targeting-rules/:ruleId',
  'DELETE /v1/projects/:id/targeting-rules/:ruleId',
  'GET /v1/projects/:id/customers/:cid/offerings',
  'POST /v1/projects/:id/books/reports',
  'GET /v1/projects/:id/books/reports',
  'GET /v1/projects/:id/books/reports/:reportId',
  'GET /v1/projects/:id/books',
  'GET /v1/projects/:id/books/:month',
  'GET /v1/projects/:id/books/:month/lines',
  'GET /v1/projects/:id/imports',
  'POST /v1/projects/:id/imports',
  'GET /v1/projects/:id/imports/:importId',
  'POST /v1/projects/:id/imports/:importId/files',
  'POST /v1/projects/:id/imports/:importId/confirm',
  'POST /v1/projects/:id/simulations',
  'GET /v1/projects/:id/metrics/replays',
  'POST /v1/projects/:id/metrics/replays',
  'DELETE /v1/projects/:id/metrics/replays/:name',
  'DELETE /v1/subscribers/:appUserId',
  'GET /v1/projects/:id/members',
  'POST /v1/projects/:id/members',
  'DELETE /v1/projects/:id/members/invitations/:invitationId',
  'PATCH /v1/projects/:id/members/:userId',
  'DELETE /v1/projects/:id/members/:userId',
  'POST /auth/invitations/accept',
  'PATCH /auth/me',
  'POST /auth/password',
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/:sessionId',
  'GET /auth/activity',
  'GET /auth/second-factor',
  'POST /auth/second-factor',
  'POST /auth/second-factor/confirm',
  'POST /auth/second-factor/recovery-codes',
  'DELETE /auth/second-factor',
  'GET /v1/projects/:id/events',
  'GET /v1/projects/:id/customers/:cid/access',
  'GET /v1/projects/:id/transactions/:transactionId',
  'POST /v1/projects/:id/customers/:cid/purchases/transfer',
  'POST /v1/projects/:id/customers/:cid/refresh',
  'POST /v1/projects/:id/transactions/:transactionId/test-action',
  'GET /v1/projects/:id/webhooks/:wid/deliveries/:did',
  'GET /v1/projects/:id/transactions',
  'GET /v1/projects/:id/views',
  'POST /v1/projects/:id/views',
  'DELETE /v1/projects/:id/views/:viewId',
  'GET /v1/projects/:id/annotations',
  'POST /v1/projects/:id/annotations',
  'DELETE /v1/projects/:id/annotations/:annotationId',
  'GET /v1/projects/:id/live',
  'GET /v1/projects/:id/audit',
  'GET /v1/projects/:id/notifications',
  'GET /v1/projects/:id/notifications/:nid',
  'POST /v1/projects/:id/notifications/:nid/retry',
];

/** Outside the route table. */
export const operational: readonly string[] = [
  'GET /livez',
  'GET /readyz',
  'GET /openapi.json',
  'GET /llms.txt',
  'GET /openapi-guide.md',
  'GET /docs',
  'GET /docs/redoc.js',
];

/** Not served yet. */
export const toCome: ReadonlySet<string> = new Set();
