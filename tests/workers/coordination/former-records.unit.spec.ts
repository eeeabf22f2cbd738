// Records that an earlier version stored, under the names of this one.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { createRecord, readRecord } from '../../../src/adapters/documents/records.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import { renameFormerRecords } from '../../../src/workers/coordination/former-records.js';
import { reactionCheckpointCollection } from '../../../src/workers/reactions/reaction.js';

const former = { name: 'cursors', indexes: [] };
const checkpoint = (position: string) => ({ position, log: 'log' });
const parked = (reaction: string) => ({ reaction, eventId: 'e1', position: '01', stream: 'project-p', askedAt: '' });

describe('records of an earlier version', () => {
  const opened = async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([former, reactionCheckpointCollection, parkedEventCollection]);
    const docOf = async (c: string, id: string) => (await readRecord(docs, c, id)).doc;
    return { docs, docOf };
  };

  it('get their new names once, however often the service starts', async () => {
    const { docs, docOf } = await opened();
    await createRecord(docs, former.name, 'fanout', checkpoint('07'));
    await createRecord(docs, former.name, 'endings', checkpoint('09'));
    await createRecord(docs, parkedEventCollection.name, 'endings|e1', parked('endings'));
    await createRecord(docs, parkedEventCollection.name, 'fanout|e1', parked('fanout'));
    for (let start = 0; start < 2; start++) {
      await renameFormerRecords(docs);
      expect(await docOf(reactionCheckpointCollection.name, 'fanout')).to.deep.equal(checkpoint('07'));
      expect(await docOf(reactionCheckpointCollection.name, 'deletion_cleanup')).to.deep.equal(checkpoint('09'));
      expect(await docOf(parkedEventCollection.name, 'endings|e1')).to.equal(null);
      expect(await docOf(parkedEventCollection.name, 'deletion_cleanup|e1')).to.deep.equal(parked('deletion_cleanup'));
      expect(await docOf(parkedEventCollection.name, 'fanout|e1')).to.deep.equal(parked('fanout'));
    }
  });

  it('keep their former names too if they are checkpoints, from which that version continues after a downgrade', async () => {
    const { docs, docOf } = await opened();
    await createRecord(docs, former.name, 'fanout', checkpoint('07'));
    for (let start = 0; start < 2; start++) await renameFormerRecords(docs);
    expect(await docOf(former.name, 'fanout')).to.deep.equal(checkpoint('07'));
  });

  it('stay as they are where this version has written them since', async () => {
    const { docs, docOf } = await opened();
    await createRecord<string>(docs, reactionCheckpointCollection.name, 'fanout', checkpoint('08'));
    await createRecord(docs, former.name, 'fanout', checkpoint('07'));
    await renameFormerRecords(docs);
    expect(await docOf(reactionCheckpointCollection.name, 'fanout')).to.deep.equal(checkpoint('08'));
  });
});
