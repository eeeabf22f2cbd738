// The messages for a webhook of all kinds. It is off, so that all messages are kept and none is sent.
import { expect } from 'chai';
import { deliveryBodyCollection, deliveryCollection, purgeAtOf } from '../../../src/commands/webhooks/deliveries.js';
import { isoFromMs } from '../../../src/domain/time.js';
import type { Harness, Slice } from './harness.js';

export type SentKinds = {
  /** Call it before the clock advances, as stored messages expire. */
  readonly note: () => Promise<void>;
  /** Types about a subscriber with their reasons, in the order of sending, without access changes. */
  readonly about: (appUserId: string) => Promise<readonly string[]>;
  /** The same with changes of access. */
  readonly all: (appUserId: string) => Promise<readonly string[]>;
};

const ACCESS = 'ENTITLEMENT_CHANGED';

export async function listenForKinds(harness: Harness, { projectId, secretKey }: Slice): Promise<SentKinds> {
  const settings = { url: 'https://hooks.example.com/all', enabled: false };
  const made = await harness.call('POST', `/v1/projects/${projectId}/webhooks`, settings, { key: secretKey });
  expect(made.status).to.equal(201);
  /** Messages by delivery, in the order of sending. */
  const noted = new Map<string, { readonly appUserId: unknown; readonly kind: string }>();
  const note = async () => {
    await harness.service().idle();
    const { docs } = harness.service().services.deps;
    const rows = [];
    for (let after: string | undefined, more = true; more;) {
      const place = after === undefined ? {} : { after };
      const page = await docs.scan(deliveryCollection.name, {
        index: 'endpoint',
        eq: [made.body.id, 'done'],
        limit: 1000,
        ...place,
      });
      rows.push(...page.rows);
      after = page.next;
      more = after !== undefined;
    }
    const fresh = rows.filter(({ id }) => !noted.has(id));
    const ids = fresh.map(({ doc }) => String(doc['bodyId']));
    const bodies = await docs.get(deliveryBodyCollection.name, ids);
    for (const { id, doc } of fresh) {
      const text = bodies.get(String(doc['bodyId']))?.doc?.['text'];
      // Deliveries of an earlier scenario may be purged between the two reads.
      if (
        text === undefined &&
        purgeAtOf(String(doc['createdAt'])) <= isoFromMs(harness.service().services.runtime.now())
      )
        continue;
      const { event } = JSON.parse(String(text));
      const reason = event.cancelReason ?? event.expirationReason;
      noted.set(id, { appUserId: doc['appUserId'], kind: reason ? `${event.type} ${reason}` : event.type });
    }
  };
  const all = async (appUserId: string) => {
    await note();
    return [...noted.values()].filter((one) => one.appUserId === appUserId).map(({ kind }) => kind);
  };
  return { note, all, about: async (appUserId) => (await all(appUserId)).filter((kind) => kind !== ACCESS) };
}
