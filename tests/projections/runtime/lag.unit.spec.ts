// Lag: the age of the oldest missing event, and zero if no event concerns the read model.
import { expect } from 'chai';
import { START } from '../../../src/adapters/event-log/port.js';
import { lagSeconds } from '../../../src/projections/runtime/progress.js';
import { msFromIso } from '../../../src/domain/time.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { customer } from '../support/customer-events.js';
import { logOf } from '../support/spec.js';

describe('the lag of a follower', () => {
  const ann = customer('ann');
  const past = [ann.created(), ann.subscribed(), ann.renewed()];
  const at = async (families: 'subscriber' | 'project', after: number) => {
    const log = await logOf(past);
    const events = await eventsOf(log);
    const position = events[after - 1]?.position ?? START;
    const missing = events[after];
    const now = msFromIso(missing?.meta.recordedAt ?? '2026-12-01T00:00:00.000Z') + 5000;
    return lagSeconds(log, { families: [families], position }, now);
  };

  it('is the age of the first event that it has not taken in', async () => {
    expect(await at('subscriber', 1)).to.equal(5);
    expect(await at('subscriber', 0)).to.equal(5);
  });
  it('is nothing at the head', async () => expect(await at('subscriber', past.length)).to.equal(0));
  it('is nothing when no event of its families is missing', async () => expect(await at('project', 0)).to.equal(0));
});
