// Retry schedule, and the effect of failures on an endpoint.
import { expect } from 'chai';
import {
  afterAttempt,
  noHealth,
  statsOf,
  assessHealth,
  type EndpointHealth,
} from '../../../src/domain/webhook/health.js';
import {
  breakerWait,
  leavesSerialQueue,
  retryAfterOf,
  scheduleOf,
  waitAfter,
  type Outcome,
} from '../../../src/domain/webhook/schedule.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const usual = scheduleOf(null);
const failed: Outcome = { status: 500, errorCode: null, retryAfterMs: null };
const delivered: Outcome = { ...failed, status: 204 };

describe('the retry schedule', () => {
  it('is ten attempts within 75.6 hours', () => {
    const waits = Array.from({ length: 10 }, (_, i) => waitAfter(usual, i + 1, failed, 0.5));
    expect(waits).to.deep.equal([
      ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
      null,
    ]);
    expect(waits.reduce((sum: number, wait) => sum + (wait ?? 0), 0) / HOUR).to.be.within(75.5, 75.7);
  });

  it('is spread by a fifth to both sides', () => {
    expect(waitAfter(usual, 2, failed, 0)).to.equal(4 * MINUTE);
    expect(waitAfter(usual, 2, failed, 1)).to.equal(6 * MINUTE);
  });

  for (const status of [429, 502, 503, 504])
    it(`waits a minute at least after a ${status}`, () =>
      expect(waitAfter(usual, 1, { ...failed, status }, 0.5)).to.equal(MINUTE));

  it('waits a minute at least after a timeout', () =>
    expect(waitAfter(usual, 1, { ...failed, status: null, errorCode: 'timeout' }, 0.5)).to.equal(MINUTE));

  it('follows Retry-After between the scheduled delay and its double or ten minutes, at most a day', () => {
    const asked = (attempts: number, retryAfterMs: number) =>
      waitAfter(usual, attempts, { status: 429, errorCode: null, retryAfterMs }, 0.5);
    expect(asked(1, 120 * SECOND)).to.equal(120 * SECOND);
    expect(asked(1, 1)).to.equal(MINUTE);
    expect(asked(1, HOUR)).to.equal(10 * MINUTE);
    expect(asked(3, 10 * HOUR)).to.equal(HOUR);
    expect(asked(9, 90 * HOUR)).to.equal(24 * HOUR);
  });

  it('caps every wait by the largest of a table that the operator set', () => {
    const short = scheduleOf([0, 1, 2]);
    const busy: Outcome = { status: 503, errorCode: null, retryAfterMs: 3600 * SECOND };
    expect(waitAfter(short, 1, busy, 0.5)).to.equal(2 * SECOND);
    expect(waitAfter(short, 3, failed, 0.5)).to.equal(null);
    expect(breakerWait(short, 4)).to.equal(2 * SECOND);
    expect([leavesSerialQueue(short, 1, 1999), leavesSerialQueue(short, 1, 2000)]).to.deep.equal([false, true]);
  });

  it('unblocks a customer’s queue after four attempts or 35 minutes', () => {
    expect([leavesSerialQueue(usual, 3, 34 * MINUTE), leavesSerialQueue(usual, 4, 0)]).to.deep.equal([false, true]);
    expect(leavesSerialQueue(usual, 1, 35 * MINUTE)).to.equal(true);
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-11-20T10:00:00Z');
    expect(retryAfterOf('120', now)).to.equal(120_000);
    expect(retryAfterOf('Fri, 20 Nov 2026 10:01:00 GMT', now)).to.equal(60_000);
    expect(retryAfterOf('Fri, 20 Nov 2026 09:00:00 GMT', now)).to.equal(0);
    expect([retryAfterOf('soon', now), retryAfterOf(undefined, now)]).to.deep.equal([null, null]);
  });
});

describe('the health of an endpoint', () => {
  const BEGIN = Date.parse('2026-11-20T10:00:00Z');
  const after = (...attempts: readonly [hours: number, outcome: Outcome, deliveryId?: string][]): EndpointHealth =>
    attempts.reduce(
      (h, [hours, outcome, deliveryId = 'del_1']) =>
        afterAttempt(h, { deliveryId, atMs: BEGIN + hours * HOUR, outcome }, usual),
      noHealth,
    );
  const untilOf = (h: EndpointHealth) => (h.openUntil === null ? null : (Date.parse(h.openUntil) - BEGIN) / MINUTE);

  it('is left alone after five failures in a row, for half a minute first', () => {
    const four = Array.from({ length: 4 }, () => [0, failed] as const);
    expect(untilOf(after(...four.map(([h, o]) => [h, o] as [number, Outcome])))).to.equal(null);
    expect(untilOf(after([0, failed], [0, failed], [0, failed], [0, failed], [0, failed]))).to.equal(0.5);
  });

  it('is probed later and later, and trusted again after one success', () => {
    const five: [number, Outcome][] = Array.from({ length: 5 }, () => [0, failed]);
    const probe = (minutes: number): [number, Outcome] => [minutes / 60, failed];
    expect(untilOf(after(...five, probe(0.2)))).to.equal(0.5);
    expect(untilOf(after(...five, probe(1)))).to.equal(2);
    expect(untilOf(after(...five, probe(1), probe(3), probe(6), probe(20), probe(40)))).to.equal(50);
    const well = after(...five, [1, delivered]);
    expect([well.openUntil, well.failuresInARow, well.probes, well.failing]).to.deep.equal([null, 0, 0, null]);
  });

  it('is warned of after a day and after three', () => {
    expect(assessHealth(after([0, failed], [23.9, failed]))).to.equal(null);
    expect(assessHealth(after([0, failed], [24, failed]))).to.deep.equal({ kind: 'warn', hours: 24 });
    expect(assessHealth(after([0, failed], [80, failed]))).to.deep.equal({ kind: 'warn', hours: 72 });
    expect(assessHealth(after([0, failed], [80, delivered]))).to.equal(null);
  });

  it('is given up after five days, but not for one message alone', () => {
    expect(assessHealth(after([0, failed], [120, failed]))).to.deep.equal({ kind: 'warn', hours: 72 });
    expect(assessHealth(after([0, failed], [11, failed, 'del_2'], [120, failed]))).to.deep.equal({
      kind: 'warn',
      hours: 72,
    });
    expect(assessHealth(after([0, failed], [12, failed, 'del_2'], [120, failed]))).to.deep.equal({ kind: 'disable' });
    expect(assessHealth(after([0, failed], [12, failed, 'del_2'], [60, delivered], [120, failed]))).to.equal(null);
  });

  it('counts the attempts of a day', () => {
    const h = after([0, delivered], [0.1, failed], [20, delivered], [30, delivered]);
    expect(statsOf(h, BEGIN + 20 * HOUR)).to.deep.equal({ delivered: 3, failed: 1 });
    expect(statsOf(h, BEGIN + 40 * HOUR)).to.deep.equal({ delivered: 2, failed: 0 });
    expect(h.lastDelivery?.status).to.equal(204);
  });
});
