// Derived ids: the same parts, the same id; other parts, another.
import { expect } from 'chai';
import { v5 as uuidV5 } from 'uuid';
import {
  anonymousAppUserId,
  customerId,
  eventId,
  isAnonymous,
  keyedHash,
  subscriptionId,
} from '../../src/domain/ids.js';
import { streams } from '../../src/domain/streams.js';

const hash = keyedHash(Buffer.alloc(32, 7));

describe('a keyed hash', () => {
  it('is 26 letters and digits of Crockford’s base32', () =>
    expect(hash('customer', 'a')).to.match(/^[0-9a-hjkmnp-tv-z]{26}$/));

  it('is what it was when streams were named by it', () =>
    expect(hash('customer', 'proj_1', 'alice')).to.equal('gd7xemse6pefstb411k2hfww2t'));

  it('is another under another key', () =>
    expect(keyedHash(Buffer.alloc(32, 8))('customer', 'a')).to.not.equal(hash('customer', 'a')));

  it('keeps its parts apart', () => expect(hash('ab', 'c')).to.not.equal(hash('a', 'bc')));
});

describe('an id', () => {
  it('of a customer depends on project and user', () => {
    expect(customerId(hash, 'proj_1', 'alice')).to.equal(customerId(hash, 'proj_1', 'alice'));
    const others = [
      customerId(hash, 'proj_1', 'alice'),
      customerId(hash, 'proj_2', 'alice'),
      customerId(hash, 'proj_1', 'bob'),
    ];
    expect(new Set(others)).to.have.property('size', 3);
    expect(others[0]).to.match(/^cus_/);
  });

  it('of a subscription depends on chain and opening transaction', () => {
    const opened = subscriptionId(hash, 'proj_1', '1000', '1000');
    expect(opened).to.match(/^sub_/);
    expect(subscriptionId(hash, 'proj_1', '1000', '1001')).to.not.equal(opened);
  });

  it('of an event depends on stream, command and place', () => {
    const stream = streams.catalog('proj_1');
    const ids = [
      eventId(stream, 'c1', 0),
      eventId(stream, 'c1', 1),
      eventId(stream, 'c2', 0),
      eventId(streams.catalog('proj_2'), 'c1', 0),
    ];
    expect(new Set(ids)).to.have.property('size', 4);
    expect(eventId(stream, 'c1', 0)).to.equal(ids[0]);
  });

  it('of an event is a version 5 UUID', () => {
    const stream = streams.catalog('prüf_1');
    expect(eventId(stream, 'c1', 0)).to.equal(uuidV5(`${stream}|c1|0`, '6f1d1c5e-3c55-4a39-9a4a-6f0b6f0a7c11'));
  });
});

describe('the anonymous customer of a chain', () => {
  const anonymous = (key: number, projectId: string, chainId: string) =>
    anonymousAppUserId(keyedHash(Buffer.alloc(32, key)), projectId, chainId);

  it('is the same each time, and a UUID', () => {
    expect(anonymous(7, 'proj_1', '1000')).to.equal(anonymous(7, 'proj_1', '1000'));
    expect(anonymous(7, 'proj_1', '1000')).to.match(
      /^\$anon:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('depends on project, chain, and a key that no caller has', () => {
    const names = [
      anonymous(7, 'proj_1', '1000'),
      anonymous(7, 'proj_2', '1000'),
      anonymous(7, 'proj_1', '1001'),
      anonymous(8, 'proj_1', '1000'),
    ];
    expect(new Set(names)).to.have.property('size', 4);
  });

  it('is known by its name', () => {
    expect(isAnonymous(anonymous(7, 'proj_1', '1000'))).to.equal(true);
    expect(isAnonymous('alice')).to.equal(false);
  });
});
