// A project of which every event is known: a store's notifications, sent in the order of their times to a service whose clock follows them.
import { expect } from 'chai';
import type { StoreEvent } from '../../../simulator/lifecycle-events.js';
import { notificationOf } from '../../../simulator/ios-store/notifications.js';
import { createLifecycles } from '../../../simulator/lifecycles.js';
import { offers } from '../../../simulator/offers.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { BUNDLE_ID, setUpProject, startHarness, store, type Harness } from '../../http/support/harness.js';
import { PASSWORD } from './visitor.js';
import { createManualClock } from '../../http/support/manual-clock.js';
import { recordedEvents } from '../../domain/charts/recorded-events.js';

const FROM = Date.parse('2025-11-03T08:00:00.000Z');
const UNTIL = Date.parse('2026-11-20T10:00:00.000Z');
const CUSTOMERS = 30;
const SEED = 'figures';

export type PlayedProject = {
  readonly harness: Harness;
  readonly projectId: string;
  /** Email of the project's owner, whose password is `PASSWORD`. */
  readonly email: string;
  /** The same person, by the interface. */
  readonly token: string;
  readonly events: readonly NormalEvent[];
  /** After all of them; UTC ms. */
  readonly until: number;
};

export async function playProject(): Promise<PlayedProject> {
  const clock = createManualClock(FROM);
  const harness = await startHarness({}, clock.runtime);
  const slice = await setUpProject(harness);
  const { email } = (await harness.call('GET', '/auth/me', undefined, { token: slice.token })).body;
  const [as, base] = [{ token: slice.token }, `/v1/projects/${slice.projectId}`];
  for (const { storeProductId, displayName, type, duration } of Object.values(offers)) {
    const fields = { appId: slice.appId, storeProductId, displayName, type, ...(duration && { duration }) };
    expect((await harness.call('POST', `${base}/products`, fields, as)).status).to.equal(201);
  }
  const played = createLifecycles(SEED, CUSTOMERS, { from: FROM, until: UNTIL }).flatMap(
    ({ storefront, events: happenings }) => happenings.flatMap((h) => (isOfStore(h) ? [{ h, storefront }] : [])),
  );
  for (const [n, { h, storefront }] of played.sort((a, b) => a.h.at - b.h.at).entries()) {
    clock.set(h.at);
    const { transaction, ...said } = notificationOf(
      h,
      storefront,
      `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    );
    const ours = { ...(transaction as object), bundleId: BUNDLE_ID } as NonNullable<typeof transaction>;
    const sent = store.signedNotification({ ...said, transaction: ours, bundleId: BUNDLE_ID });
    expect((await harness.call('POST', slice.notificationPath, sent)).status).to.equal(200);
    await harness.service().waitForReactions();
  }
  // A browser forgets a cookie whose end is past.
  clock.set(Date.now());
  const events = await recordedEvents(harness.service().services.deps.log, slice.projectId);
  const token: string = (await harness.call('POST', '/auth/login', { email, password: PASSWORD })).body.accessToken;
  return { harness, projectId: slice.projectId, email, token, events, until: UNTIL };
}

function isOfStore(h: { readonly kind: string }): h is StoreEvent {
  return !['receipt', 'described', 'granted'].includes(h.kind);
}
