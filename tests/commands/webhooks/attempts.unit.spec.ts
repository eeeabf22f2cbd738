// Attempts to deliver, seen by the process that made them and by those beside it on one store.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import {
  createAttemptFeed,
  newestAttemptCollection,
  type PublishedAttempt,
} from '../../../src/commands/webhooks/attempts.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const HOUR_MS = 3_600_000;

const attempted = (deliveryId: string): PublishedAttempt => ({
  projectId: 'proj_1',
  eventId: 'whe_1',
  causeId: 'evt_1',
  type: 'RENEWAL',
  customerId: 'cus_1',
  state: 'delivered',
  createdAt: '2026-11-20T10:00:00.000Z',
  deliveryId,
  webhookId: 'wh_1',
  attempt: { at: '2026-11-20T10:00:01.000Z', ms: 12, status: 200, errorCode: null },
});

describe('attempts to deliver', () => {
  const docs = createMemoryDocuments();
  let now = NOW;
  before(() => docs.ensure([newestAttemptCollection]));
  const process = (processId: string, isShared = true) => {
    const feed = createAttemptFeed({ docs, runtime: { now: () => now }, processId, isShared });
    const seen: string[] = [];
    feed.watch((attempts) => void seen.push(...attempts.map((a) => a.deliveryId)));
    return { ...feed, seen };
  };

  it('are seen at once where they are made', () => {
    const { record, seen } = process('alone', false);
    record(attempted('del_1'));
    expect(seen).to.deep.equal(['del_1']);
  });

  it('are seen by another process with its next round, each once, from its first look on', async () => {
    const [sender, watcher] = [process('sender'), process('watcher')];
    sender.record(attempted('before'));
    await sender.exchange(false);
    await watcher.exchange(true);
    expect(watcher.seen).to.deep.equal([]);
    for (const round of ['a', 'b']) {
      sender.record(attempted(`${round}1`));
      sender.record(attempted(`${round}2`));
      await sender.exchange(false);
      await watcher.exchange(true);
      await watcher.exchange(true);
    }
    expect(watcher.seen).to.deep.equal(['a1', 'a2', 'b1', 'b2']);
  });

  it('are the newest few hundred after a long burst', async () => {
    const [sender, watcher] = [process('sender 2'), process('watcher 2')];
    await watcher.exchange(true);
    for (let i = 0; i < 1200; i++) sender.record(attempted(String(i)));
    await sender.exchange(false);
    await watcher.exchange(true);
    expect([watcher.seen.length, watcher.seen[0], watcher.seen.at(-1)]).to.deep.equal([500, '700', '1199']);
  });

  it('go with the processes that made them', async () => {
    const gone = process('gone');
    gone.record(attempted('del_1'));
    await gone.exchange(false);
    now += 2 * HOUR_MS;
    const next = process('next');
    next.record(attempted('del_2'));
    await next.exchange(false);
    const { rows } = await docs.scan(newestAttemptCollection.name, { index: 'id', eq: [], limit: 100 });
    expect(rows.map(({ id }) => id)).to.deep.equal(['next']);
  });
});
