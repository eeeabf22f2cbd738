// Definitions of the charts over HTTP.
import { expect } from 'chai';
import type { Json } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

describe('definitions of charts', () => {
  const { harness, slice } = setUpService({});
  const get = (path: string) =>
    harness.call('GET', `/v1/projects/${slice.projectId}/metrics/charts${path}`, undefined, { key: slice.secretKey });

  it('are there for every chart, with a formula and a figure for each measure that the chart lists', async () => {
    const { body } = await get('');
    expect(body.items).to.have.length(21);
    for (const chart of body.items as Json[]) {
      const { status, body: definition } = await get(`/${chart.id}/definition`);
      expect(status, chart.id).to.equal(200);
      expect(definition).to.include({ object: 'chartDefinition', id: chart.id, name: chart.name });
      const listed = [...(chart.kind === 'cohort' ? ['size'] : []), ...chart.measures.map((m: Json) => m.id)];
      for (const field of [definition.formulas, definition.example.figures]) {
        expect(
          field.map((one: Json) => one.measure),
          chart.id,
        ).to.deep.equal(listed);
      }
      expect(definition.edgeCases.map((one: Json) => one.case)).to.deep.equal(
        'trials grace annual taxes refunds currency'.split(' '),
      );
    }
  });

  it('show the example of the monthly recurring revenue in words and numbers', async () => {
    const { body } = await get('/mrr/definition');
    expect(body.example.steps).to.include.members([
      'Bob pays $60 for a year on 2 Feb.',
      'Eve fails to pay on 28 Feb and has a grace period until 7 Mar, without a payment.',
    ]);
    expect(body.example.figures).to.deep.equal([
      { measure: 'mrr', name: 'MRR', unit: 'usd', calculation: '10 + 60 / 12 + 8 + 4', value: 27 },
    ]);
  });

  it('are not there for an unknown chart', async () => {
    expectRefusal(await get('/none/definition'), 404);
  });
});
