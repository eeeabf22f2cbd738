// Updates that an earlier version stored with an event, read by this one.
import { expect } from 'chai';
import { parseUpdate, toRetainedUpdate } from '../../../../src/domain/subscriber/ordering/update-order.js';

describe('a stored update of an earlier version', () => {
  it('passes a deadline under the name that this version gives it', () => {
    const deadline = { target: { kind: 'subscription', id: 'sub_1' }, expectedAt: '2026-01-01T00:00:00.000Z' };
    const commands = JSON.stringify([{ kind: 'settle', ...deadline }, { kind: 'recordPeriod' }]);
    const { parsed } = parseUpdate({ saidAt: '~2026-01-01T00:00:00.000Z', commands });
    expect(parsed).to.deep.equal([{ kind: 'passDeadline', ...deadline }, { kind: 'recordPeriod' }]);
  });

  it('is stored again in the form in which it was read', () => {
    const importedFrom = { file: 'rows.csv', row: 2 };
    const stored = { saidAt: '2026-01-01T00:00:00.000Z', commands: '[]', importedFrom };
    expect(toRetainedUpdate(parseUpdate(stored))).to.deep.equal(stored);
  });
});
