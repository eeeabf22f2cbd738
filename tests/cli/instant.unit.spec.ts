// Instants on the command line.
import { expect } from 'chai';
import { readInstant } from '../../src/cli/support/arguments.js';

describe('an instant on the command line', () => {
  it('is UTC unless it names an offset', () => {
    expect(readInstant('2026-04-13')).to.equal('2026-04-13T00:00:00.000Z');
    expect(readInstant('2026-04-13T10:00')).to.equal('2026-04-13T10:00:00.000Z');
    expect(readInstant('2026-04-13T10:00:00+02:00')).to.equal('2026-04-13T08:00:00.000Z');
  });

  it('is null for a day that the calendar does not have', () => {
    expect(['2026-02-30', '2026-13-01', '2025-02-29T00:00:00Z', 'yesterday', ''].map(readInstant)).to.deep.equal(
      Array(5).fill(null),
    );
  });
});
