// However much waits, a round of the sender reads a bounded part of it, and what can be sent behind it is found.
import { expect } from 'chai';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { deliveryCollection, insertDeliveries, type Delivery } from '../../../src/commands/webhooks/deliveries.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { createHooks, type ArrivedRequest, type Hooks } from './rig.js';

const WAITING = 2000;
/** A page for each gate, and what has come to be due in the last seconds. */
const MAX_ROWS = 1600;
const grant = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
const later = '2999-01-01T00:00:00.000Z';

describe('a sender that starts with thousands of deliveries before it', () => {
  it('serves other endpoints at once, and sends them all in the end', async () => {
    const hooks = await createHooks();
    const full = await deliveredTo(hooks, '/full');
    const quick = await deliveredTo(hooks, '/quick');
    await queueUp(hooks, full, WAITING, (i) => ({ lane: `${full.endpointId}|customer-${i}` }));
    await queueUp(hooks, quick, 1, () => ({}));
    let response: (status: number) => void = () => undefined;
    const withheld = new Promise<number>((resolve) => (response = resolve));
    hooks.receiver.reply = (arrived) => (isAt('/full')(arrived) ? withheld : 200);
    const round = restart(hooks);
    for (let i = 0; i < 5; i++) expect(await round()).to.be.below(MAX_ROWS);
    expect(hooks.receiver.arrived.filter(isAt('/quick')).length).to.equal(1);
    expect(hooks.receiver.arrived.filter(isAt('/full')).length).to.equal(2);
    response(200);
    await hooks.play();
    expect(hooks.receiver.arrived.filter(isAt('/full')).length).to.equal(WAITING);
  });

  it('finds a customer of an endpoint after all those of another, whose first is not due yet', async () => {
    const hooks = await createHooks();
    const crowded = await deliveredTo(hooks, '/crowded');
    await queueUp(hooks, crowded, WAITING, (i) => ({
      lane: `${crowded.endpointId}|${i < WAITING - 1 ? 'many' : 'one'}`,
      ...(i === 0 && { dueAt: later }),
    }));
    const round = restart(hooks);
    for (let i = 0; i < 10 && hooks.receiver.arrived.length === 0; i++) expect(await round()).to.be.below(MAX_ROWS);
    await hooks.worker().sender.idle();
    const waiting = await hooks.all({ index: 'endpoint', eq: [crowded.endpointId, 'lane'] });
    expect(hooks.receiver.arrived.length).to.equal(1);
    expect(waiting.filter(({ lane }) => lane.endsWith('|one'))).to.deep.equal([]);
  });

  it('finds what it does not remember at once when the clock was set back by hours', async () => {
    const hooks = await createHooks();
    const delivered = await deliveredTo(hooks, '/clock');
    const right = hooks.clock.iso();
    hooks.clock.set(isoFromMs(msFromIso(right) + 5 * 3_600_000));
    await hooks.worker().sender.round();
    hooks.clock.set(isoFromMs(msFromIso(right) + 600_000));
    await queueUp(hooks, delivered, 1, () => ({}));
    await hooks.worker().sender.round();
    await hooks.worker().sender.idle();
    expect(hooks.receiver.arrived.length).to.equal(1);
  });
});

const isAt =
  (path: string) =>
  ({ url }: ArrivedRequest): boolean =>
    url.endsWith(path);

/** A webhook to which one event has gone: its delivery. */
async function deliveredTo(hooks: Hooks, path: string): Promise<Delivery> {
  const { webhookId } = await hooks.make({ url: `https://hooks.example.com${path}` });
  await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, path, grant);
  await hooks.play();
  hooks.receiver.arrived.length = 0;
  const [delivered] = await hooks.all({ index: 'endpoint', eq: [webhookId, 'done'] });
  if (!delivered) throw new Error(`nothing went to ${path}`);
  return delivered;
}

/** The same once more for each, waiting since then. */
async function queueUp(
  { deps }: Hooks,
  { createdAt, ...delivered }: Delivery,
  waiting: number,
  change: (i: number) => Partial<Delivery>,
): Promise<void> {
  const copies = Array.from({ length: waiting }, (_, i) => {
    const place = `9${String(i).padStart(20, '0')}`;
    const pending = { state: 'pending' as const, gate: 'lane' as const, dueAt: createdAt, attempts: [] };
    return { id: `${delivered.endpointId}-${i}`, doc: { ...delivered, createdAt, place, ...pending, ...change(i) } };
  });
  await insertDeliveries(deps.docs, [], copies);
}

/** Restarts as an hour after a crash. Returns a function that runs a round and returns the number of deliveries that it read. */
function restart(hooks: Hooks): () => Promise<number> {
  let rows = 0;
  const docs: DocStore = {
    ...hooks.deps.docs,
    scan: async (c, scan) => {
      const page = await hooks.deps.docs.scan(c, scan);
      if (c === deliveryCollection.name) rows += page.rows.length;
      return page;
    },
  };
  hooks.clock.set(isoFromMs(msFromIso(hooks.clock.iso()) + 3_600_000));
  hooks.restart({ ...hooks.deps, docs });
  return async () => {
    rows = 0;
    await hooks.worker().sender.round();
    return rows;
  };
}
