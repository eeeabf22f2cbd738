// Texts of the OpenAPI document: the chapters of the API, and descriptions of path parameters.
import type { Route } from '../../src/http/dispatch/route.js';

/** Chapters in the order of the page. A route belongs to the first chapter with a matching path prefix (`:x` matches any segment). */
const chapters: readonly (readonly [tag: string, path: RegExp])[] = [
  ['Authentication', /^\/auth\//],
  ['Members', /\/projects\/:id\/members/],
  ['API keys', /\/api-keys?$|\/api-keys\//],
  ['Books', /\/projects\/:id\/(books|apps\/:appId\/report-source)/],
  ['Apps', /\/projects\/:id\/apps/],
  ['Products', /\/projects\/:id\/products/],
  ['Entitlements', /\/projects\/:id\/entitlements/],
  ['Offerings and packages', /\/projects\/:id\/offerings/],
  ['Paywalls', /\/projects\/:id\/paywalls/],
  ['Targeting', /\/projects\/:id\/(placements|targeting-rules)/],
  ['Customers', /\/projects\/:id\/(customers|events|transactions|refund-requests)/],
  ['Webhooks', /\/projects\/:id\/webhooks/],
  ['Experiments', /\/projects\/:id\/experiments/],
  ['Metrics and charts', /\/projects\/:id\/(metrics|views|annotations)/],
  ['Live', /\/projects\/:id\/(live|notifications|audit)/],
  ['Imports', /\/projects\/:id\/imports/],
  ['Projects', /^\/v1\/(projects|demo)/],
  ['Client SDK', /^\/v1\/(offerings|events)|\/offerings$/],
  ['Subscribers', /^\/v1\/subscribers/],
  ['Store notifications', /^\/v1\/store\//],
  ['Operation', /^\/(livez|readyz|openapi\.json|docs)/],
];

const order = [
  ...[
    'Authentication',
    'Projects',
    'Members',
    'API keys',
    'Apps',
    'Products',
    'Entitlements',
    'Offerings and packages',
    'Paywalls',
    'Targeting',
  ],
  ...['Customers', 'Live', 'Webhooks', 'Experiments', 'Metrics and charts', 'Books', 'Imports'],
  ...['Subscribers', 'Client SDK', 'Store notifications', 'Operation'],
];

const descriptions: Readonly<Record<string, string>> = {
  Subscribers: 'Requests of client SDKs and servers about one subscriber, by app user ID.',
  Targeting: 'The placements of an app, and the rules that choose which offering a customer gets there.',
  'Client SDK': 'Offerings, paywalls and custom events for client SDKs.',
  'Store notifications':
    'Endpoints for the stores’ servers. The token in the path is the credential; the store’s signature is verified as well.',
  Books: 'The stores’ financial reports beside what was recorded, by month.',
  Live: 'Live feed, store notifications with their results, and the audit log.',
  Operation: 'Endpoints for load balancers and tools, without credentials.',
};

export const tags = order.map((name) => {
  const description = descriptions[name];
  return { name, ...(description !== undefined && { description }) };
});

export function tagOf(path: string): string {
  const [tag] = chapters.find(([, pattern]) => pattern.test(path)) ?? [];
  if (tag === undefined) throw new Error(`give ${path} a chapter here`);
  return tag;
}

const parameters: Readonly<Record<string, string>> = {
  id: 'Project id (`proj_…`).',
  userId: 'User id (`usr_…`).',
  invitationId: 'Invitation id (`inv_…`).',
  keyId: 'API key id (`key_…`).',
  appId: 'App id (`app_…`).',
  pid: 'Product id (`prod_…`).',
  priceId: 'Price id (`price_…`).',
  eid: 'Entitlement, by id (`ent_…`) or `lookupKey`.',
  oid: 'Offering, by id (`ofr_…`) or `lookupKey`.',
  pwid: 'Paywall id (`pw_…`).',
  plid: 'Placement, by id (`plc_…`) or `lookupKey`.',
  ruleId: 'Targeting rule id (`tr_…`).',
  transactionId: 'Transaction ID of the store.',
  cid: 'Customer, by id (`cus_…`) or app user id.',
  nid: 'Notification id (`app_…_…`).',
  wid: 'Webhook id (`wh_…`).',
  did: 'Delivery id (`del_…`).',
  viewId: 'View id (`view_…`).',
  segmentId: 'Segment id (`seg_…`).',
  annotationId: 'Annotation id (`ann_…`).',
  vid: 'Variant id (`var_…`).',
  importId: 'Import id (`imp_…`).',
  reportId: 'Report id (`rep_…`).',
  absenceId: 'Declaration id (`abs_…`).',
  sessionId: 'Session id (`ses_…`).',
  month: 'Month, `yyyy-mm`.',
  name: 'Name of the replay.',
  requestId: 'Refund request ID, as in the list of refund requests.',
  chartId: 'Chart ID, see `GET …/metrics/charts`.',
  appUserId: 'App user ID: 1 to 255 characters, no slash.',
  token: 'The last part of the app’s `notificationUrl`.',
};

/** Returns the description of a parameter: `:pid` is a package under offerings, `:eid` an experiment under experiments. */
export function meaningOf(name: string, path: string): string | undefined {
  if (name === 'pid' && path.includes('/packages')) return 'Package, by id (`pkg_…`) or `lookupKey`.';
  if (name === 'eid' && path.includes('/experiments')) return 'Experiment id (`exp_…`).';
  return parameters[name];
}

/** Converts `List API keys; the newest first` to `listApiKeys`. */
export function operationIdOf({ summary }: Pick<Route, 'summary'>): string {
  const [name = ''] = summary.split(/[;:,(.]/);
  const words = name
    .replaceAll(/['’]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && !/^(an?|the)$/i.test(word));
  return words
    .map((word) => word.toLowerCase())
    .map((word, i) => (i === 0 ? word : `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`))
    .join('');
}
