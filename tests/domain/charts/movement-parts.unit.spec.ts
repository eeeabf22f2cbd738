// Parts of charts' movements: gains, losses and their balance.
import { expect } from 'chai';
import { charts } from '../../../src/domain/charts/catalogue/catalogue.js';
import { defaultSelectors } from '../../../src/domain/charts/catalogue/chart.js';

/** Another number for each sum, so that a part with the wrong sign is found. */
const sumOf = (measure: string) => [...measure].reduce((sum, letter, i) => sum + letter.charCodeAt(0) * (i + 7), 0);
const sums = { flow: sumOf, stock: sumOf, before: sumOf };

describe('movements of charts', () => {
  for (const chart of charts)
    it(`${chart.id} ${chart.drawing === 'movement' ? 'adds up to its balance' : 'is none'}`, () => {
      if (chart.drawing !== 'movement' || chart.kind !== 'series') {
        expect(chart.measures.filter(({ part }) => part)).to.deep.equal([]);
        return;
      }
      const values = chart.values(sums, defaultSelectors);
      const total = (part: string) =>
        chart.measures.filter((one) => one.part === part).reduce((sum, { id }) => sum + Number(values[id]), 0);
      expect(chart.measures.every(({ part }) => part)).to.equal(true);
      expect(total('gain') - total('loss')).to.equal(total('balance'));
    });
});
