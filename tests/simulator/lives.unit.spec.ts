// Simulated lives: repeatable, in order, and such as the store would tell them.
import { expect } from 'chai';
import { createLives, richestLife } from '../../src/simulator/lives.js';
import { breachesOf } from './life-rules.js';

const UNTIL = Date.UTC(2026, 10, 20, 12);
const SPAN = { from: UNTIL - 425 * 86_400_000, until: UNTIL };
const SEED = process.env['SEED'] ?? 'lives';
const LIVES = createLives(SEED, 2000, SPAN);

describe('simulated customers', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(createLives(SEED, 50, SPAN)).to.deep.equal(LIVES.slice(0, 50));
    expect(createLives(`${SEED}'`, 50, SPAN)).not.to.deep.equal(LIVES.slice(0, 50));
  });

  it('keep to the span, in order', () => {
    for (const { happenings, index } of LIVES) {
      const times = happenings.map((h) => h.at);
      expect(times, `life ${index}`).to.deep.equal([...times].sort((a, b) => a - b));
      expect(times[0], `life ${index}`).to.be.at.least(SPAN.from);
      expect(times.at(-1), `life ${index}`).to.be.at.most(SPAN.until);
    }
  });

  it('produce only events that can follow from those before', () => {
    expect(LIVES.flatMap(breachesOf), `seed ${SEED}`).to.deep.equal([]);
  });

  it('draw each transaction once', () => {
    const happenings = LIVES.flatMap((life) =>
      life.happenings.flatMap((h) => ('bought' in h ? [[h.bought.transactionId, h.bought] as const] : [])),
    );
    const byId = new Map(happenings);
    for (const [id, bought] of happenings) expect(bought).to.deep.equal(byId.get(id));
  });

  it('show everything that can happen', () => {
    const kinds = new Set(LIVES.flatMap((life) => life.happenings.map((h) => h.kind)));
    expect([...kinds].sort()).to.deep.equal(
      'billingFailed boughtOnce described expiredByChoice expiredUnpaid graceEnded granted receipt recovered refundReversed refunded renewalOff renewalOn renewed resubscribed started'.split(
        ' ',
      ),
    );
    expect(LIVES.some((life) => life.appUserId === null)).to.equal(true);
    expect(LIVES.some((life) => life.happenings.some((h) => h.kind === 'receipt' && h.isLate))).to.equal(true);
  });

  it('have a richest one, with a name', () => {
    const richest = richestLife(LIVES);
    expect(richest?.appUserId).to.match(/^user-/);
    expect(new Set(richest?.happenings.map((h) => h.kind)).size).to.be.at.least(6);
    expect(richestLife([])).to.equal(null);
  });
});
