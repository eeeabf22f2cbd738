import { expect } from 'chai';
import { serializeUpdates } from '../../../src/commands/stores/line-update.js';

describe('the text of a translated message', () => {
  const update = { storeChainId: 'chain', commands: [], accountToken: null, firstAt: '2026-11-01T10:00:00.000Z' };
  const text = '{"storeChainId":"chain","facts":[],"accountToken":null,"firstAt":"2026-11-01T10:00:00.000Z"}';

  it('stays as ids of commands in the log were made from it', () => {
    expect(serializeUpdates(update)).to.equal(text);
    expect(serializeUpdates([update, update])).to.equal(`[${text},${text}]`);
  });
});
