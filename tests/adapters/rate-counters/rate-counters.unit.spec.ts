// Rate counters in memory and in MongoDB, for which a table of the driver's form stands; `tests/distributed` runs the same contract on a real
// server.
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { countInMemory } from '../../../src/adapters/rate-counters/memory.js';
import { openMongoCounters } from '../../../src/adapters/rate-counters/mongodb.js';
import { createRateLimits, type RateLimits } from '../../../src/http/dispatch/rate-limits.js';
import { TooManyRequests } from '../../../src/http/dispatch/too-many-requests.js';
import { admitted, rateCountersContract, sharedCountersContract } from '../../contract/rate-counters.js';
import { createCounterServer, type CounterServer } from './counter-table.js';

const secret = randomBytes(32);
const connectTo = (server: CounterServer) => openMongoCounters(server.connect(), secret);

rateCountersContract('memory', () => Promise.resolve(countInMemory));
rateCountersContract('MongoDB', () => connectTo(createCounterServer()));
rateCountersContract('memory, while MongoDB is down', async () => {
  const server = createCounterServer();
  const openCounter = await connectTo(server);
  server.setDown(true);
  return openCounter;
});
const shared = createCounterServer();
sharedCountersContract('MongoDB', () => connectTo(shared));

describe('rate counters in MongoDB', () => {
  let server: CounterServer;
  beforeEach(() => {
    server = createCounterServer();
  });
  const large = { name: 'callers', points: 600, seconds: 60 };
  const small = { name: 'logIns', points: 20, seconds: 60 };

  it('cost an update for each batch of a busy caller, and none for a caller below a batch', async () => {
    const counter = (await connectTo(server))(large);
    for (let i = 0; i < 1000; i++) await counter.consume(`rare ${i}`, 9);
    expect(server.updates()).to.equal(0);
    for (let i = 0; i < 600; i++) await counter.consume('busy');
    expect(server.updates()).to.equal(60);
  });

  it('cost nothing for a caller above the limit', async () => {
    for (const limit of [large, small]) {
      const counter = (await connectTo(server))(limit);
      await admitted([counter], 'k', limit.points);
      const before = server.updates();
      expect(await admitted([counter], 'k', 500)).to.equal(0);
      expect(server.updates() - before).to.be.at.most(1);
    }
  });

  it('report what other processes have used, with the time that is left for all', async () => {
    const [first, second] = [(await connectTo(server))(large), (await connectTo(server))(large)];
    await first.consume('k', 300);
    expect((await second.consume('k', 9)).remainingPoints).to.equal(591);
    expect((await second.consume('k', 1)).remainingPoints).to.equal(290);
    expect((await second.consume('k', 1)).remainingPoints).to.equal(289);
  });

  it('admit again when the time is over, in every process', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    try {
      for (const limit of [large, small]) {
        const [first, second] = [(await connectTo(server))(limit), (await connectTo(server))(limit)];
        await admitted([first], 'k', limit.points);
        // Its own minute begins now, and must not outlast that of all.
        clock.tick(59_000);
        await admitted([second], 'k', limit.points);
        expect(await admitted([second], 'k', 5)).to.equal(0);
        clock.tick(1100);
        for (const counter of [first, second]) expect(await admitted([counter], 'k', 5)).to.equal(5);
      }
    } finally {
      clock.restore();
    }
  });

  it('count in each process while the server is down, and together again afterwards', async () => {
    const counters = [(await connectTo(server))(small), (await connectTo(server))(small)];
    server.setDown(true);
    expect(await admitted(counters, 'k', 200)).to.equal(2 * small.points);
    server.setDown(false);
    expect(await admitted(counters, 'k', 200)).to.equal(small.points);
  });

  it('store no email and no address', async () => {
    const limits = createRateLimits(await connectTo(server));
    const attempt = await limits.beginLogin('ann@example.com', '203.0.113.7');
    await attempt.wrong();
    await (await limits.beginLogin('ann@example.com', '203.0.113.7')).right();
    await limits.countRefusal('203.0.113.7');
    const stored = JSON.stringify([...server.stored]);
    expect(server.stored.size).to.be.above(4);
    expect(stored).not.to.match(/ann|example|203/);
  });
});

describe('limits of five processes', () => {
  const EMAIL = 'ann@example.com';
  const start = async () => {
    const server = createCounterServer();
    const limits = await Promise.all(Array.from({ length: 5 }, async () => createRateLimits(await connectTo(server))));
    return { server, limits };
  };
  const attempt = async (limits: RateLimits, ip: string) => {
    try {
      return await limits.beginLogin(EMAIL, ip);
    } catch (err) {
      if (err instanceof TooManyRequests) return null;
      throw err;
    }
  };

  it('allow five guesses from one address, not five each, even all at once', async () => {
    const { limits } = await start();
    const begun = await Promise.all(limits.flatMap((one) => [1, 2, 3, 4].map(() => attempt(one, '10.0.0.1'))));
    const allowed = begun.filter((one) => one !== null);
    expect(allowed).to.have.length(5);
    for (const one of allowed) await one.wrong();
    for (const one of limits) expect(await attempt(one, '10.0.0.1')).to.equal(null);
    for (const one of limits) expect(await attempt(one, '10.0.0.2')).not.to.equal(null);
  });

  it('allow five registrations an hour from one address', async () => {
    const { limits } = await start();
    const route = { path: '/auth/register', method: 'post' };
    const asking = {
      caller: { kind: 'nobody' },
      ip: () => '10.0.0.1',
      projectId: '',
      appUserId: undefined,
    } as const;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, async (_, i) => limits[i % 5]?.countRequest(route, asking)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(5);
  });

  it('know a device that another process let in', async () => {
    const { limits } = await start();
    await (await limits[0]?.beginLogin(EMAIL, 'home'))?.right();
    for (let i = 0; i < 50; i++) await (await limits[i % 5]?.beginLogin(EMAIL, `10.0.0.${i}`))?.wrong();
    expect(await attempt(limits[1] as RateLimits, '10.1.0.1')).not.to.equal(null);
    expect(await attempt(limits[2] as RateLimits, '10.1.0.2')).to.equal(null);
    expect(await attempt(limits[3] as RateLimits, 'home')).not.to.equal(null);
  });

  it('go on in the memory of each process while MongoDB is down', async () => {
    const { server, limits } = await start();
    server.setDown(true);
    for (const one of limits) {
      for (let i = 0; i < 5; i++) await (await attempt(one, '10.0.0.1'))?.wrong();
      expect(await attempt(one, '10.0.0.1')).to.equal(null);
    }
  });
});
