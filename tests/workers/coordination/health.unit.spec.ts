// The report on health: work that stalled here, and is another process's by now.
import { expect } from 'chai';
import { buildInsertion } from '../../../src/adapters/documents/records.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { parkedCollection } from '../../../src/projections/runtime/parked.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';
import type { Serving } from '../../../src/projections/rebuild/serving.js';
import { reportHealth } from '../../../src/workers/coordination/health.js';
import { leaseCollection } from '../../../src/workers/coordination/lease.js';
import { reactionCheckpointCollection } from '../../../src/workers/reactions/reaction.js';
import { START } from '../../../src/adapters/event-log/port.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';

async function reportWithLeaseOf(owner: string) {
  const docs = createMemoryDocuments();
  const used = [parkedEventCollection, deliveryCollection, parkedCollection, leaseCollection];
  await docs.ensure([...used, reactionCheckpointCollection]);
  await docs.write([[buildInsertion(leaseCollection.name, 'inbox', { owner, until: '', epoch: 1 })]]);
  return reportHealth({
    log: { head: async () => START, local: null } as unknown as EventLog,
    docs,
    runtime: fakeRuntime().runtime,
    progress: createProgress(),
    serving: {} as Serving,
    projections: [],
    reactions: [],
    stalled: ['inbox'],
    sending: { delivered: 0, failed: 0, inFlight: 0, openBreakers: 0 },
    diskFree: async () => null,
    processId: 'this',
  });
}

describe('health of a process whose work stalled', () => {
  for (const [whose, owner, status] of [
    ['it holds the lease', 'this', 'stalled'],
    ['nobody has taken the lease', '', 'stalled'],
    ['another process has the lease', 'another', 'ok'],
  ])
    it(`is ${status} while ${whose}`, async () => {
      const report = await reportWithLeaseOf(owner ?? '');
      expect([report.status, report.stalled]).to.deep.equal([status, status === 'stalled' ? ['inbox'] : []]);
      expect(report.leases).to.deep.equal(owner === 'this' ? ['inbox'] : []);
    });
});
