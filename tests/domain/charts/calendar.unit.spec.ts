// Number of whole durations between two instants, with clamped months.
import { expect } from 'chai';
import { addSpan, DAY_MS, spanOf, spansUntil } from '../../../src/domain/charts/calendar.js';
import { chance } from '../../projections/support/seeded-random.js';

const DURATIONS = ['P1D', 'P3D', 'P1W', 'P4W', 'P1M', 'P1M3D', 'P2M', 'P3M', 'P6M', 'P1Y', 'P2Y'];

describe('durations between instants', () => {
  it('are as many as fit, counted from the first', () => {
    const random = chance();
    for (let n = 0; n < 5000; n++) {
      const duration = DURATIONS[n % DURATIONS.length] ?? '';
      const span = spanOf(duration) ?? { months: 1, days: 0 };
      const from = Date.UTC(2020, 0, 1) + random.below(1500) * DAY_MS + random.below(2) * random.below(DAY_MS);
      const near = addSpan(from, span, random.below(40)) + random.below(3) - 1;
      const at = random.below(2) === 0 ? near : from + random.below(2000) * DAY_MS;
      const count = spansUntil(from, span, at);
      const what = `${duration} from ${new Date(from).toISOString()} to ${new Date(at).toISOString()}, SEED=${random.seed}`;
      if (at < from) expect(count, what).to.equal(-1);
      else expect(addSpan(from, span, count) <= at && addSpan(from, span, count + 1) > at, what).to.equal(true);
    }
  });
});
