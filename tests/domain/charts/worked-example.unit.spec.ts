// The example that is worked out by hand with the definitions.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { runQuery } from './run-query.js';
import { historiesOf, type NormalEvent } from './normal-form.js';

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../fixtures/charts/${name}.json`, import.meta.url), 'utf8')) as T;
const events = read<NormalEvent[]>('chart-example.events');
const expected = read<Record<string, unknown>>('chart-example.expected');
const period = { start: '2026-01-01T00:00:00Z', end: '2026-05-01T00:00:00Z', interval: 'month' } as const;
const whole = { ...period, asOf: '2026-05-01T00:00:00Z' };

describe('the worked example', () => {
  const customers = [...historiesOf(events).values()];

  it('knows the 21 charts of the definitions', () => {
    expect(charts.map((c) => c.id))
      .to.have.members(Object.keys(expected))
      .and.to.have.length(21);
  });

  for (const { id } of charts) {
    it(`is answered by ${id}`, () => {
      expect(runQuery(customers, id, whole)).to.deep.equal(expected[id]);
    });
  }

  it('is the same in any order, and with every event doubled', () => {
    const doubled = [...events, ...events].reverse();
    const shuffled = [...historiesOf(doubled).values()];
    for (const { id } of charts) expect(runQuery(shuffled, id, whole), id).to.deep.equal(expected[id]);
  });

  it('shows what was known on the first of March', () => {
    const early = { ...period, asOf: '2026-03-01T00:00:00Z' };
    const february = (id: string) =>
      (runQuery(customers, id, early) as { buckets: { values: unknown }[] }).buckets[1]?.values;
    expect(february('mrr')).to.deep.equal({ mrr: 28 });
    expect(february('refund_rate')).to.deep.equal({ transactions: 4, refunded_transactions: 1, refund_rate: 25 });
  });
});
