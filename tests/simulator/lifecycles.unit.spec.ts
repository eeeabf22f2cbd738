// Simulated lifecycles: repeatable, in order, and such as the store would send them.
import { expect } from 'chai';
import { createLifecycles, findMostVariedLifecycle } from '../../simulator/lifecycles.js';
import { breachesOf } from './lifecycle-rules.js';

const UNTIL = Date.UTC(2026, 10, 20, 12);
const SPAN = { from: UNTIL - 425 * 86_400_000, until: UNTIL };
const SEED = process.env['SEED'] ?? 'lifecycles';
const LIFECYCLES = createLifecycles(SEED, 2000, SPAN);

describe('simulated customers', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(createLifecycles(SEED, 50, SPAN)).to.deep.equal(LIFECYCLES.slice(0, 50));
    expect(createLifecycles(`${SEED}'`, 50, SPAN)).not.to.deep.equal(LIFECYCLES.slice(0, 50));
  });

  it('keep to the span, in order', () => {
    for (const { events: happenings, index } of LIFECYCLES) {
      const times = happenings.map((h) => h.at);
      expect(times, `lifecycle ${index}`).to.deep.equal([...times].sort((a, b) => a - b));
      expect(times[0], `lifecycle ${index}`).to.be.at.least(SPAN.from);
      expect(times.at(-1), `lifecycle ${index}`).to.be.at.most(SPAN.until);
    }
  });

  it('produce only events that can follow from those before', () => {
    expect(LIFECYCLES.flatMap(breachesOf), `seed ${SEED}`).to.deep.equal([]);
  });

  it('draw each transaction once', () => {
    const happenings = LIFECYCLES.flatMap((lifecycle) =>
      lifecycle.events.flatMap((h) => ('bought' in h ? [[h.bought.transactionId, h.bought] as const] : [])),
    );
    const byId = new Map(happenings);
    for (const [id, bought] of happenings) expect(bought).to.deep.equal(byId.get(id));
  });

  it('show everything that can happen', () => {
    const kinds = new Set(LIFECYCLES.flatMap((lifecycle) => lifecycle.events.map((h) => h.kind)));
    expect([...kinds].sort()).to.deep.equal(
      'billingFailed boughtOnce described expiredByChoice expiredUnpaid graceEnded granted receipt recovered refundReversed refunded renewalOff renewalOn renewed resubscribed started'.split(
        ' ',
      ),
    );
    expect(LIFECYCLES.some((lifecycle) => lifecycle.appUserId === null)).to.equal(true);
    expect(LIFECYCLES.some((lifecycle) => lifecycle.events.some((h) => h.kind === 'receipt' && h.isLate))).to.equal(
      true,
    );
  });

  it('have a richest one, with a name', () => {
    const richest = findMostVariedLifecycle(LIFECYCLES);
    expect(richest?.appUserId).to.match(/^user-/);
    expect(new Set(richest?.events.map((h) => h.kind)).size).to.be.at.least(6);
    expect(findMostVariedLifecycle([])).to.equal(null);
  });
});
