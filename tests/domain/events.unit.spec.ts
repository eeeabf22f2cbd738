import { expect } from 'chai';
import { defineEvent, touches } from '../../src/domain/events.js';

describe('touches()', () => {
  const table = {
    Renewed: defineEvent('Renewed', {}).touching('money', 'charts'),
    Noted: defineEvent('Noted', {}).touching(),
    Unstated: defineEvent('Unstated', {}),
  };

  it('is true for an event that states the concern, and for no other', () => {
    const types = ['Renewed', 'Noted', 'Unstated'].filter((type) => touches(table, { type }, 'charts'));
    expect(types).to.deep.equal(['Renewed']);
    expect(touches(table, { type: 'Renewed' }, 'webhooks')).to.equal(false);
  });

  it('is false for a type that only newer code knows, whatever it is called', () => {
    for (const type of ['RenewedInSpace', 'constructor', '__proto__', 'toString', '']) {
      expect(touches(table, { type }, 'charts'), type).to.equal(false);
    }
  });
});
