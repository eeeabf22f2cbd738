// An event that the charts cannot fold: they stop before it, with nothing of it in any sum, and after the fix end as if it had never been.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { familyOf } from '../../../src/domain/streams.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { ProjectionHalted } from '../../../src/projections/runtime/runner.js';
import { randomHistory } from '../../charts-reference/random-history.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { documentsOf, feedsOf, firstBuild, guardedOf, open, runAll } from '../support/builds.js';
import { chance } from '../support/seeded-random.js';
import { emptyLog, record, expressible } from './recorded-log.js';

const sound = customerHistories as unknown as Projection;

describe('charts with an event that cannot be folded', () => {
  it('stop before it, and continue to the same figures once it can be processed', async () => {
    const random = chance();
    let poisoned = 0;
    for (let n = 0; n < 10; n++) {
      const histories = expressible(randomHistory(random));
      const log = emptyLog();
      await record(log, histories, histories);
      const events = await eventsOf(log);
      const own = events.filter((e) => sound.families.includes(familyOf(e.stream)) && sound.keys(e).length > 0);
      const poison = own[random.below(own.length)];
      // Nothing of this history is any chart's.
      if (!poison) continue;
      poisoned++;
      const broken: Projection = {
        ...sound,
        fold: (doc, event, id, peer) => {
          if (event.id === poison.id) throw new Error('cannot fold this');
          return sound.fold(doc, event, id, peer);
        },
      };
      const size = 1 + random.below(5);
      const which = `history ${n}, SEED=${random.seed}`;
      const whole = createMemoryDocuments();
      await runAll(
        await open(log, whole, firstBuild(sound)),
        feedsOf(events, () => size),
      );
      const docs = createMemoryDocuments();
      const halted = await open(log, docs, firstBuild(broken));
      const why = await runAll(
        halted,
        feedsOf(events, () => size),
      ).catch((err: unknown) => err);
      expect(why, which).to.be.instanceOf(ProjectionHalted);
      expect(halted.position() < poison.position, which).to.equal(true);
      const fixed = await open(log, docs, firstBuild(sound));
      await runAll(
        fixed,
        feedsOf(events, () => 1 + random.below(5)),
      );
      const [found, wanted] = [await guardedOf(docs, fixed.build), await guardedOf(whole, fixed.build)];
      expect(documentsOf(found), which).to.deep.equal(documentsOf(wanted));
    }
    expect(poisoned, `SEED=${random.seed}`).to.be.greaterThan(0);
  });
});
