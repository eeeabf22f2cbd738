// The kinds of requests that the SDKs send, written from the facts of their own tests and sources: purchases-ios 5.86 and, with the bodies of
// earlier releases, on iOS 13; purchases-android 10.17; purchases-js 1.53. Values are made up.

/** `200` and `201`: decoded by the strictest SDK's rules. A code of an error is that of the SDKs. */
export type ExpectedAnswer = readonly [status: number, code?: number];

export type RecordedRequest = {
  readonly about: string;
  readonly client: 'ios' | 'oldIos' | 'android' | 'web';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: ExpectedAnswer;
};

const iosHeaders = {
  'x-apple-device-identifier': 'C3F0A5D2-7A52-4E1C-9D0E-6B1F2A3C4D5E',
  'x-client-build-version': '310',
  'x-client-bundle-id': 'com.example.app',
  'x-client-version': '7.2.0',
  'x-is-debug-build': 'false',
  'x-is-sandbox': 'true',
  'x-observer-mode-enabled': 'false',
  'x-platform': 'iOS',
  'x-platform-flavor': 'native',
  'x-platform-version': 'Version 26.0 (Build 23A341)',
  'x-preferred-locales': 'de_DE,en_US',
  'x-storefront': 'DEU',
  'x-storekit-version': '2',
  'x-storekit2-enabled': 'true',
  'x-version': '5.86.0',
  'x-revenuecat-etag': '',
};

export const headersOfClient: Readonly<Record<RecordedRequest['client'], Readonly<Record<string, string>>>> = {
  ios: {
    ...iosHeaders,
    ...{ 'x-installation-method': 'spm', 'x-is-backgrounded': 'false', 'x-platform-device': 'iPhone17,1' },
    ...{ 'x-retry-count': '0', 'x-nonce': 'bm9uY2Ugb2YgMTIh', 'x-headers-hash': 'X-Is-Sandbox:sha256:00' },
  },
  oldIos: { ...iosHeaders, 'x-version': '4.43.0', 'x-storekit-version': '1', 'x-storekit2-enabled': 'false' },
  android: {
    ...{ 'x-platform': 'android', 'x-platform-flavor': 'react-native', 'x-platform-flavor-version': '10.10.2' },
    ...{ 'x-platform-version': '35', 'x-platform-device': 'Pixel 9', 'x-platform-brand': 'google' },
    ...{ 'x-version': '10.17.0', 'x-preferred-locales': 'de_DE', 'x-client-locale': 'de-DE' },
    ...{ 'x-client-version': '7.2.0', 'x-client-bundle-id': 'com.example.a', 'x-observer-mode-enabled': 'false' },
    ...{ 'x-storefront': 'DE', 'x-is-debug-build': 'false', 'x-kotlin-version': '2.1.0', 'x-is-backgrounded': 'true' },
    ...{ 'x-billing-client-sdk-version': '8.0.0', 'x-revenuecat-etag': '', 'x-nonce': 'bm9uY2Ugb2YgMTIh' },
  },
  web: { 'x-platform': 'web', 'x-version': '1.63.1', 'x-is-sandbox': 'true', 'x-platform-flavor': 'flutter' },
};

const UNROUTED: ExpectedAnswer = [404, 7259];
const ok: ExpectedAnswer = [200];

const get = (client: RecordedRequest['client'], path: string, answer: ExpectedAnswer = ok, more: object = {}) =>
  ({ about: `${client} GET ${path}`, client, method: 'GET', path, answer, ...more }) as const;
const post = (client: RecordedRequest['client'], path: string, body: object, answer: ExpectedAnswer = ok) =>
  ({ about: `${client} POST ${path}`, client, method: 'POST', path, body: { ...body }, answer }) as const;

const attribute = (value: string | null) => ({ value, updated_at_ms: 1_794_000_000_000 });
const impression = {
  ...{ id: '0F8C1D2E-3B4A-4C5D-8E9F-A0B1C2D3E4F5', version: 1, type: 'paywall_impression', app_user_id: 'reader' },
  ...{ session_id: '1A2B3C4D-0000-4000-8000-0123456789AB', offering_id: 'default', paywall_id: 'winter' },
  ...{
    paywall_revision: 4,
    timestamp: 1_794_000_000_000,
    display_mode: 'full_screen',
    dark_mode: true,
    locale: 'de_DE',
  },
  presented_offering_context: { placement_identifier: 'start', targeting_revision: 3, targeting_rule_id: 'rule' },
};
const adRevenue = {
  ...{ id: '0F8C1D2E-3B4A-4C5D-8E9F-A0B1C2D3E4F6', version: 1, type: 'rc_ads_ad_revenue', app_user_id: 'reader' },
  ...{ ad_format: 'rewarded', ad_unit_id: 'unit-1', network_name: 'net', mediator_name: 'med', placement: 'home' },
  ...{ impression_id: 'i-1', revenue_micros: 1_500_000, currency: 'USD', precision: 'exact', timestamp_ms: 1 },
};
const centreImpression = {
  ...{ id: '0F8C1D2E-3B4A-4C5D-8E9F-A0B1C2D3E4F7', version: 1, type: 'customer_center_impression', revision_id: 1 },
  ...{ app_user_id: 'reader', app_session_id: 's', is_sandbox: true, dark_mode: false, locale: 'en_US', timestamp: 1 },
};
const diagnosticsEntry = {
  ...{ id: 'd-1', version: 1, name: 'customer_info_verification_result', timestamp: '2026-11-20T10:00:00Z' },
  ...{ app_session_id: 's', properties: { verification_result: 'FAILED' } },
};
const remoteConfig = { fetch_context: 'app_start', app_user_id: 'reader', manifest: 'bWFu', prefetched_blobs: [] };
const ticket = { customer_email: 'a@example.com', issue_description: 'It does not work.', app_user_id: 'reader' };
const redemption = { redemption_token: 'token-of-a-mail', app_user_id: 'reader' };

const ofEverySdk = (client: 'ios' | 'oldIos' | 'android' | 'web') => [
  get(client, `/v1/subscribers/new-${client}`, [201]),
  get(client, `/v1/subscribers/new-${client}`),
  get(client, `/v1/subscribers/user%20with%20spaces%20${client}`, [201]),
  get(client, `/v1/subscribers/%24RCAnonymousID%3A${'0123456789abcdef'.repeat(2)}/offerings`),
  get(client, '/v1/subscribers/reader/offerings'),
  get(client, '/v1/subscribers/reader/virtual_currencies'),
  get(client, '/v1/product_entitlement_mapping'),
  post(client, '/v1/subscribers/identify', { app_user_id: `old-${client}`, new_app_user_id: `id-${client}` }, [201]),
  post(client, '/v1/subscribers/identify', { app_user_id: `old-${client}`, new_app_user_id: `id-${client}` }),
  post(client, '/v1/subscribers/identify', { app_user_id: 'reader', new_app_user_id: ' ' }, [400, 7220]),
  post(client, '/v1/subscribers/reader/attributes', {
    attributes: { $email: attribute('a@example.com'), food: attribute('pizza'), gone: attribute(null) },
  }),
  post(client, '/v1/subscribers/reader/attributes', { attributes: { 'a key': attribute('value 1') } }, [400, 7263]),
  post(client, '/v1/events', { events: [impression] }),
  get(client, '/v1/subscribers/reader/ads/reward_verifications/5B0F7A3C-1D2E-4F60-8A9B-C0D1E2F3A4B5', UNROUTED),
  get(client, '/rcbilling/v1/subscribers/reader/products?id=none&id=other'),
];

const ofMobileSdks = (client: 'ios' | 'oldIos' | 'android') => [
  post(client, '/v1/diagnostics', { entries: [diagnosticsEntry] }),
  post(client, '/v1/config/app', remoteConfig, UNROUTED),
  get(client, '/v1/config/app', UNROUTED),
  get(client, '/v1/offerings', UNROUTED),
  get(client, '/v1/customercenter/reader', UNROUTED),
  post(client, '/v1/customercenter/support/create-ticket', ticket, UNROUTED),
  post(client, '/v1/subscribers/redeem_purchase', redemption, UNROUTED),
];

const ofIos = (client: 'ios' | 'oldIos') => [
  get(client, '/v1/health'),
  get(client, '/v2/config', UNROUTED),
  get(client, '/v1/subscribers/reader/health_report', UNROUTED),
  get(client, '/v1/subscribers/reader/health_report_availability', UNROUTED),
  get(client, '/rcbilling/v1/subscribers/reader/offering_products', UNROUTED),
  post(client, '/v1/events', { events: [adRevenue, centreImpression, impression] }),
  post(client, '/v1/subscribers/reader/attribution', { network: 1, data: { campaign: 'c' } }),
  post(client, '/v1/subscribers/reader/adservices_attribution', { aad_attribution_token: 'token' }),
  post(client, '/v1/subscribers/reader/intro_eligibility', { product_identifiers: ['a', 'b'], fetch_token: 'AQI=' }),
  post(
    client,
    '/v1/offers',
    {
      ...{ app_user_id: 'reader', fetch_token: 'cmVjZWlwdA==' },
      generate_offers: [{ offer_id: 'winter', product_id: 'com.example.app.pro.month', subscription_group: 'group' }],
    },
    [403, 7232],
  ),
  post(client, '/v1/subscribers/reader/restore/eligibility', { fetch_token: 'a.made-up.token' }, [400, 7103]),
  post(client, '/auth/login', { identity_token: 'x' }, UNROUTED),
];

export const recordedRequests: readonly RecordedRequest[] = [
  ...(['ios', 'oldIos', 'android', 'web'] as const).flatMap(ofEverySdk),
  ...(['ios', 'oldIos', 'android'] as const).flatMap(ofMobileSdks),
  ...(['ios', 'oldIos'] as const).flatMap(ofIos),
  get('ios', '/v1/subscribers/reader', ok, { headers: { 'x-custom-entitlements-computation': 'true' } }),
  post('android', '/v1/subscribers/old-alias/alias', { new_app_user_id: 'aliased' }, [201]),
  get('android', '/v1/receipts/amazon/user/receipt', UNROUTED),
  get('web', '/rcbilling/v1/branding', UNROUTED),
  get('web', '/rcbilling/v1/subscribers/reader/workflows?type=paywall', UNROUTED),
  post('web', '/rcbilling/v1/checkout/start', { app_user_id: 'reader', product_id: 'p' }, UNROUTED),
  post('web', '/rcbilling/v1/purchase', { app_user_id: 'reader' }, UNROUTED),
];
