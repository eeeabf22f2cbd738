// Outcomes of writes whose connection breaks, before or after their effect: MongoDB's driver on a fake server.
import { expect } from 'chai';
import { openMongoDocuments, type MongoDocuments } from '../../../src/adapters/documents/mongodb/store.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { CUSTOMERS, insert } from '../../contract/opened-documents.js';
import { startMongoStandIn, type Fate, type MongoStandIn } from './mongodb-stand-in/server.js';
import { poll } from '../../fixtures/poll.js';

describe('MongoDB documents when connections break', () => {
  let server: MongoStandIn;
  let store: MongoDocuments;
  before(async () => {
    server = await startMongoStandIn();
    store = openMongoDocuments({ url: server.url, runtime: systemRuntime() });
  });
  beforeEach(async () => {
    server.fail = null;
    await server.comeBack();
    await store.drop('customers');
    await store.ensure([CUSTOMERS]);
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  /** The first command with one of these names meets the fate, all others are answered. */
  const failOnce = (names: readonly string[], fate: Fate) => {
    let isMet = false;
    server.fail = (name) => {
      if (isMet || !names.includes(name)) return 'answer';
      isMet = true;
      return fate;
    };
  };
  const replace = (id: string, expect: string, guard: string) => ({ ...insert(id), expect, guard });
  const guardOf = async (id: string) => (await store.get('customers', [id])).get(id)?.guard;
  const outcomeOf = (work: Promise<unknown>) =>
    work.then(
      (result) => result,
      (err: unknown) => (err instanceof Unavailable ? 'unavailable' : String(err)),
    );

  for (const fate of ['cut-before', 'cut-after'] as const) {
    it(`reports success for inserts whose connection was ${fate} their effect`, async () => {
      failOnce(['insert'], fate);
      expect(await store.write([[insert('a'), insert('b')]])).to.equal('ok');
      expect([await guardOf('a'), await guardOf('b')]).to.deep.equal(['1', '1']);
    });
    it(`reports success for a compare-and-set whose connection was ${fate} its effect`, async () => {
      await store.write([[insert('a')]]);
      failOnce(['update'], fate);
      expect(await store.write([[replace('a', '1', '2')]])).to.equal('ok');
      expect(await guardOf('a')).to.equal('2');
    });
    it(`reports a lost compare-and-set on another guard, also when its connection was ${fate} its effect`, async () => {
      await store.write([[{ ...insert('a'), guard: '5' }]]);
      failOnce(['update'], fate);
      expect(await store.write([[replace('a', '1', '5')]])).to.equal('lost');
    });
    it(`reports a lost insert when the document was there already and its connection was ${fate} its effect`, async () => {
      await store.write([[insert('a')]]);
      failOnce(['insert'], fate);
      expect(await store.write([[insert('a'), insert('b')]])).to.equal('lost');
      expect(await guardOf('b')).to.equal('1');
    });
    it(`answers reads whose connection was ${fate}`, async () => {
      await store.write([[insert('a')]]);
      failOnce(['find'], fate);
      expect(await guardOf('a')).to.equal('1');
    });
  }

  it('continues after all connections were cut during many calls', async () => {
    await store.write([[insert('a')]]);
    for (let round = 1; round <= 5; round++) {
      const calls = Array.from({ length: 20 }, async (_, i) => {
        const written = await outcomeOf(store.write([[insert(`${round}-${i}`)]]));
        const read = await outcomeOf(store.get('customers', ['a']).then((found) => found.size));
        return [written, read];
      });
      setImmediate(() => server.cut());
      for (const results of await Promise.all(calls)) expect(results).to.deep.equal(['ok', 1]);
    }
  });

  it('is unavailable while the server is gone, and recovers by itself', async () => {
    await server.goDown();
    expect(await outcomeOf(store.write([[insert('a')]]))).to.equal('unavailable');
    expect(await outcomeOf(store.get('customers', ['a']))).to.equal('unavailable');
    await server.comeBack();
    await poll(
      () => outcomeOf(store.ping()),
      (outcome) => outcome !== 'unavailable',
    );
    expect(await store.write([[insert('a')]])).to.equal('ok');
  });

  for (const [what, code] of [
    ['that is shutting down', 91],
    ['that is no primary any more', 10_107],
    ['out of disk', 14_031],
    ['whose error nobody knows', 654_321],
    ['that does not know us', 13],
  ] as const) {
    it(`is unavailable for a server ${what}`, async () => {
      await store.write([[insert('a')]]);
      server.fail = () => ({ instead: { ok: 0, code, errmsg: 'as the server says it' } });
      expect(await outcomeOf(store.write([[insert('b')]]))).to.equal('unavailable');
      expect(await outcomeOf(store.write([[replace('a', '1', '2')]]))).to.equal('unavailable');
      expect(await outcomeOf(store.get('customers', ['a']))).to.equal('unavailable');
      expect(await outcomeOf(store.scan('customers', { index: 'id', eq: [], limit: 1 }))).to.equal('unavailable');
      expect(await outcomeOf(store.ensure([CUSTOMERS]))).to.equal('unavailable');
      expect(await outcomeOf(store.drop('customers'))).to.equal('unavailable');
    });
  }

  it('is unavailable for a write that may not be durable', async () => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    server.fail = (name) => (name === 'insert' ? { instead: { ok: 1, n: 1, writeConcernError } } : 'answer');
    expect(await outcomeOf(store.write([[insert('a')]]))).to.equal('unavailable');
  });

  it('is unavailable for a write of which the server could not do a part', async () => {
    const writeErrors = [
      { index: 0, code: 11_000, errmsg: 'E11000 duplicate key' },
      { index: 1, code: 11_602, errmsg: 'interrupted by a change of state' },
    ];
    server.fail = (name) => (name === 'insert' ? { instead: { ok: 1, n: 0, writeErrors } } : 'answer');
    expect(await outcomeOf(store.write([[insert('a'), insert('b')]]))).to.equal('unavailable');
  });

  it('passes permanent errors of the server on', async () => {
    const writeErrors = [{ index: 0, code: 121, errmsg: 'Document failed validation' }];
    server.fail = (name) => (name === 'insert' ? { instead: { ok: 1, n: 0, writeErrors } } : 'answer');
    expect(await outcomeOf(store.write([[insert('a')]]))).to.match(/failed validation/);
  });
});
