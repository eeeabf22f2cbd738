// Inserting deliveries into a store whose writes show one by one, as they do on MongoDB: inside a stage in any order.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import {
  deliveryBodyCollection,
  deliveryCollection,
  insertDeliveries,
  type NewDelivery,
} from '../../../src/commands/webhooks/deliveries.js';

const lane = 'web_ordered|cus_1';

describe('deliveries of one event', () => {
  it('never show in a serial queue without those before them', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([deliveryCollection, deliveryBodyCollection]);
    const seen: string[][] = [];
    const placesInLane = async () => {
      const { rows } = await docs.scan(deliveryCollection.name, { index: 'lane', eq: [lane, 'lane'], limit: 10 });
      return rows.map(({ doc }) => String(doc['place']));
    };
    const oneByOne: DocStore = {
      ...docs,
      write: async (stages) => {
        for (const stage of stages)
          for (const write of stage.toReversed()) {
            if ((await docs.write([[write]])) === 'lost') return 'lost';
            seen.push(await placesInLane());
          }
        return 'ok';
      },
    };
    const deliveries = ['2|00', '2|01', '2|02'].map((place, i) => deliveryAt(`del_${i}`, place));

    const inserted = await insertDeliveries(oneByOne, [], deliveries);

    expect(inserted.map(({ doc }) => doc.place)).to.deep.equal(['2|00', '2|01', '2|02']);
    expect(seen).to.deep.equal([['2|00'], ['2|00', '2|01'], ['2|00', '2|01', '2|02']]);
  });
});

function deliveryAt(id: string, place: string): NewDelivery {
  const about = { projectId: 'proj_1', endpointId: 'web_ordered', type: 'TRANSFER', appUserId: 'alice' };
  const cause = { eventId: `whe_${id}`, bodyId: `whe_${id}|camelCase`, customerId: 'cus_1', causeId: 'evt_1' };
  const waiting = { state: 'pending', gate: 'lane', claimedBy: null, failures: 0, firstFailedAt: null } as const;
  const times = { dueAt: '2026-11-01T00:00:00.000Z', createdAt: '2026-11-01T00:00:00.000Z', attempts: [] };
  return { id, doc: { ...about, ...cause, ...waiting, ...times, lane, place } };
}
