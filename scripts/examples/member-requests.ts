// Requests of members in the examples: people, notifications, charts, webhooks; and, at the end, all deletions.
import type { ExampleProject } from './example-project.js';
import { showCode } from '../../simulator/authenticator.js';
import { EMAIL, PASSWORD } from './example-project.js';
import type { ExampleService } from './example-service.js';

const DAY = '2026-11-01';

/** Requests about members and invitations. */
export async function requestMembers({ ask }: ExampleService, { about, id, me }: ExampleProject): Promise<void> {
  const members = 'POST /v1/projects/:id/members';
  const withdrawn = await about(members, {}, { email: 'mallory@example.com', role: 'admin' });
  const path = { invitationId: withdrawn.id };
  await about('DELETE /v1/projects/:id/members/invitations/:invitationId', path);
  const invitation = await about(members, {}, { email: 'grace@example.com', role: 'support' });
  const registered = { email: 'grace@example.com', password: PASSWORD, name: 'Grace' };
  const grace = await ask('POST /auth/register', { body: registered });
  await ask('POST /auth/invitations/accept', { as: { token: grace.accessToken }, body: { token: invitation.token } });
  await about(members, {}, { email: 'linus@example.com', role: 'viewer' });
  await about('PATCH /v1/projects/:id/members/:userId', { userId: grace.user.id }, { role: 'analyst' });
  await about('GET /v1/projects/:id/members');
  await ask('GET /auth/me', { as: me });
  await ask('GET /v1/projects', { as: me });
  await about('GET /v1/projects/:id');
  await about('PATCH /v1/projects/:id', {}, { transferBehavior: 'transfer' });
  await ask('GET /v1/projects/:id/audit', { as: me, path: { id }, query: { limit: '3' } });
  await about('DELETE /v1/projects/:id/members/:userId', { userId: grace.user.id });
}

export async function requestSetup({ about, iosApp, iosMonthly, ...g }: ExampleProject): Promise<void> {
  await about('GET /v1/projects/:id/api-keys');
  await about('GET /v1/projects/:id/apps');
  await about('GET /v1/projects/:id/apps/:appId', { appId: iosApp.id });
  await about('GET /v1/projects/:id/apps/:appId/credentials/status', { appId: iosApp.id });
  await about('GET /v1/projects/:id/products');
  await about('GET /v1/projects/:id/products/:pid', { pid: iosMonthly });
  await about('PATCH /v1/projects/:id/entitlements/:eid', { eid: 'pro' }, { displayName: 'Pro, all features' });
  await about('GET /v1/projects/:id/entitlements');
  await about('GET /v1/projects/:id/entitlements/:eid', { eid: 'pro' });
  await about('GET /v1/projects/:id/entitlements/:eid/products', { eid: 'pro' });
  await about('PATCH /v1/projects/:id/offerings/:oid', { oid: 'default' }, { displayName: 'Standard' });
  await about('GET /v1/projects/:id/offerings');
  await about('GET /v1/projects/:id/offerings/:oid/packages', { oid: 'default' });
  await about('PATCH /v1/projects/:id/paywalls/:pwid', { pwid: g.paywallId }, { config: { layout: 'list' } });
  await about('GET /v1/projects/:id/paywalls');
  await about('GET /v1/projects/:id/paywalls/:pwid', { pwid: g.paywallId });
  await requestTargeting(about);
  await about('GET /v1/projects/:id/experiments');
  await about('GET /v1/projects/:id/experiments/:eid', { eid: g.experimentId });
  await about('GET /v1/projects/:id/setup-status');
}

async function requestTargeting(about: ExampleProject['about']): Promise<void> {
  const { id: plid } = await about(
    'POST /v1/projects/:id/placements',
    {},
    { lookupKey: 'onboarding_end', displayName: 'End of the onboarding' },
  );
  await about('PATCH /v1/projects/:id/placements/:plid', { plid }, { displayName: 'After the onboarding' });
  await about('GET /v1/projects/:id/placements');
  const { id: ruleId } = await about(
    'POST /v1/projects/:id/targeting-rules',
    {},
    {
      name: 'Yearly first in Germany',
      conditions: [
        { kind: 'country', operator: 'in', values: ['DE', 'AT'] },
        { kind: 'subscriber', value: false },
      ],
      offeringId: 'yearly-first',
      placements: [{ placementId: 'onboarding_end', offeringId: null }],
    },
  );
  await about('PATCH /v1/projects/:id/targeting-rules/:ruleId', { ruleId }, { position: 0 });
  await about('GET /v1/projects/:id/targeting-rules');
}

/** Requests about store notifications and webhook deliveries. */
export async function requestMessages(
  { ask, idle }: ExampleService,
  { about, me, id, webhookId: wid }: ExampleProject,
): Promise<void> {
  const of = { as: me, path: { id } };
  const { items } = await ask('GET /v1/projects/:id/notifications', { ...of, query: { limit: '2' } });
  await about('GET /v1/projects/:id/notifications/:nid', { nid: items[0].id });
  await about('POST /v1/projects/:id/notifications/:nid/retry', { nid: items[0].id });
  await about('GET /v1/projects/:id/webhooks/:wid/examples', { wid });
  await about('POST /v1/projects/:id/webhooks/:wid/test', { wid });
  await about('PATCH /v1/projects/:id/webhooks/:wid', { wid }, { rotateSecret: true });
  await idle();
  const query = { type: 'RENEWAL', limit: '2' };
  const list = { ...of, path: { id, wid }, query };
  const deliveries = await ask('GET /v1/projects/:id/webhooks/:wid/deliveries', list);
  const did: string = deliveries.items[0].id;
  await about('GET /v1/projects/:id/webhooks/:wid/deliveries/:did', { wid, did });
  await about('POST /v1/projects/:id/webhooks/:wid/deliveries/:did/redeliver', { wid, did });
  const replay = { from: '2026-11-01T00:00:00Z', to: '2026-11-10T00:00:00Z' };
  await about('POST /v1/projects/:id/webhooks/:wid/replay', { wid }, replay);
  await idle();
  await about('GET /v1/projects/:id/webhooks');
  await about('GET /v1/projects/:id/webhooks/:wid', { wid });
}

export async function requestCharts({ ask }: ExampleService, { about, id, me, iosApp }: ExampleProject): Promise<void> {
  const chart = (chartId: string) => ({ as: me, path: { id, chartId } });
  const months = { period: '2026-09-01..2026-11-20', interval: 'month' };
  await ask('GET /v1/projects/:id/metrics/overview', { as: me, path: { id } });
  await ask('GET /v1/projects/:id/metrics/charts', { as: me, path: { id } });
  await ask('GET /v1/projects/:id/metrics/charts/:chartId', { ...chart('revenue'), query: months });
  const valueQuery = { bucket: DAY, ...months };
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/customers', { ...chart('revenue'), query: valueQuery });
  const byProduct = { ...months, segment: 'productId' };
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/segments', { ...chart('revenue'), query: byProduct });
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/definition', chart('mrr'));
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/band', chart('revenue'));
  const watched = { isWatched: true };
  await ask('PUT /v1/projects/:id/metrics/charts/:chartId/watch', { ...chart('revenue'), body: watched });
  const changed = { ...months, thenAsOf: '2026-11-04T00:00:00.000Z' };
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/compare', { ...chart('refund_rate'), query: changed });
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/compare', { ...chart('revenue'), query: changed });
  const reason = { ...changed, bucket: DAY, kind: 'TransactionRefunded' };
  await ask('GET /v1/projects/:id/metrics/charts/:chartId/compare/customers', { ...chart('revenue'), query: reason });
  const whatIf = { name: 'small-business', whatIf: { commission: 0.15 } };
  await about('POST /v1/projects/:id/metrics/replays', {}, whatIf);
  await about('GET /v1/projects/:id/metrics/replays');
  const view = { name: 'MRR by store', query: { chartId: 'mrr', period: 'last_12_months', segment: 'store' } };
  const { id: viewId } = await about('POST /v1/projects/:id/views', {}, view);
  await about('GET /v1/projects/:id/views');
  await about('PATCH /v1/projects/:id/views/:viewId', { viewId }, { isShared: true, isOnOverview: true });
  await about('DELETE /v1/projects/:id/views/:viewId', { viewId });
  const note = { day: DAY, text: 'Version 4.2 with the new paywall', kind: 'release' };
  const { id: annotationId } = await about('POST /v1/projects/:id/annotations', {}, note);
  await about('GET /v1/projects/:id/annotations');
  await about('DELETE /v1/projects/:id/annotations/:annotationId', { annotationId });
  const steps = [
    { at: '2026-11-01T10:00:00Z', what: 'buy' },
    { at: '2026-11-05T10:00:00Z', what: 'refund' },
  ];
  await about(
    'POST /v1/projects/:id/simulations',
    {},
    { product: 'com.example.stargazer.pro.month', appId: iosApp.id, steps },
  );
  await about('DELETE /v1/projects/:id/metrics/replays/:name', { name: 'small-business' });
}

/** Reads the first line of the live feed after a store notification. */
export async function requestLiveFeed({ ask }: ExampleService, { me, id }: ExampleProject): Promise<void> {
  const headers = { 'last-event-id': '0'.repeat(20) };
  await ask('GET /v1/projects/:id/live', { as: me, path: { id }, headers });
}

export async function requestDeletions({ ask }: ExampleService, g: ExampleProject): Promise<void> {
  const { about, server } = g;
  const eid = g.experimentId;
  await about('PATCH /v1/projects/:id/experiments/:eid', { eid }, { status: 'stopped' });
  const draft = await about('POST /v1/projects/:id/experiments', {}, { name: 'Another price' });
  const path = { eid: draft.id as string };
  const variant = { name: 'as it is', offeringId: 'default' };
  const { id: vid } = await about('POST /v1/projects/:id/experiments/:eid/variants', path, variant);
  await about('DELETE /v1/projects/:id/experiments/:eid/variants/:vid', { ...path, vid });
  await about('DELETE /v1/projects/:id/experiments/:eid', path);
  await about('DELETE /v1/projects/:id/webhooks/:wid', { wid: g.webhookId });
  await about('DELETE /v1/projects/:id/paywalls/:pwid', { pwid: g.paywallId });
  const rules = await about('GET /v1/projects/:id/targeting-rules');
  await about('DELETE /v1/projects/:id/targeting-rules/:ruleId', { ruleId: rules.items[0].id as string });
  await about('DELETE /v1/projects/:id/placements/:plid', { plid: 'onboarding_end' });
  const one = { oid: 'yearly-first', pid: '$annual' };
  const packed = await about('GET /v1/projects/:id/offerings/:oid/packages', one);
  const productIds = [packed.items[0].products[0].id as string];
  await about('DELETE /v1/projects/:id/offerings/:oid/packages/:pid/products', one, { productIds });
  await about('DELETE /v1/projects/:id/offerings/:oid/packages/:pid', one);
  await about('DELETE /v1/projects/:id/entitlements/:eid/products', { eid: 'pro' }, { productIds: [g.iosMonthly] });
  await about('DELETE /v1/projects/:id/entitlements/:eid', { eid: 'pro' });
  const price = { pid: g.iosMonthly, priceId: g.priceId };
  await about('DELETE /v1/projects/:id/products/:pid/prices/:priceId', price);
  const forced = { as: g.me, path: { id: g.id, pid: g.iosMonthly }, query: { force: 'true' } };
  await ask('DELETE /v1/projects/:id/products/:pid', forced);
  await about('DELETE /v1/projects/:id/apps/:appId/credentials', { appId: g.iosApp.id });
  await about('DELETE /v1/projects/:id/apps/:appId', { appId: g.androidApp.id });
  await ask('DELETE /v1/subscribers/:appUserId', { as: server, path: { appUserId: 'carol' } });
  await about('DELETE /v1/projects/:id/api-keys/:keyId', { keyId: g.keyId });
  await about('DELETE /v1/projects/:id');
  const { refreshToken } = await ask('POST /auth/login', { body: { email: EMAIL, password: PASSWORD } });
  await ask('POST /auth/logout', { body: { refreshToken } });
}

/** Requests about the user's own account. They need a separate service, because they end sessions. */
export async function requestAccount({ ask, now, goOnTo }: ExampleService): Promise<void> {
  const login = { email: EMAIL, password: PASSWORD };
  const { accessToken } = await ask('POST /auth/register', { body: { ...login, name: 'Ada' } });
  let as = { token: accessToken as string };
  await ask('PATCH /auth/me', { as, body: { name: 'Ada Lovelace' } });
  await ask('POST /auth/login', { body: login });
  const { items } = await ask('GET /auth/sessions', { as });
  await ask('DELETE /auth/sessions/:sessionId', { as, path: { sessionId: items[0].id } });
  await ask('POST /auth/login', { body: { ...login, session: 'token' } });
  await ask('DELETE /auth/sessions', { as });
  const { secret } = await ask('POST /auth/second-factor', { as, body: { password: PASSWORD } });
  const nextCode = async () => {
    await goOnTo(new Date(now() + 60_000).toISOString());
    return showCode(secret as string, now());
  };
  await ask('POST /auth/second-factor/confirm', { as, body: { code: await nextCode() } });
  await ask('GET /auth/second-factor', { as });
  const newPassword = `${PASSWORD} again`;
  const changed = { password: PASSWORD, code: await nextCode(), newPassword };
  as = { token: (await ask('POST /auth/password', { as, body: changed })).accessToken };
  const replaced = { password: newPassword, code: await nextCode() };
  await ask('POST /auth/second-factor/recovery-codes', { as, body: replaced });
  await ask('DELETE /auth/second-factor', { as, body: { password: newPassword, code: await nextCode() } });
  await ask('GET /auth/activity', { as });
}

/** Requires a separate service, because demos need an installation without other projects. */
export async function requestDemo({ ask, idle }: ExampleService): Promise<void> {
  const registered = await ask('POST /auth/register', { body: { email: EMAIL, password: PASSWORD, name: 'Ada' } });
  const as = { token: registered.accessToken };
  const { id } = await ask('POST /v1/demo', { as });
  await idle();
  await ask('POST /v1/projects/:id/demo/purchase', { as, path: { id } });
}
