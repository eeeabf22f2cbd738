// Calls to a server that is there, slow, silent, gone and back again; time is passed by hand.
import { expect } from 'chai';
import { createCircuitBreaker } from '../../src/adapters/engine/server-breaker.js';
import { Unavailable } from '../../src/domain/errors.js';

const LIMIT_MS = 2000;
const SLOW_LIMIT_MS = 8 * LIMIT_MS;
const FAILURES_PER_RESET = 4;
const gone = new Error('connection refused');
const busy = new Error('shutting down');
class GaveUp extends Error {}
const mute = new GaveUp();
const forEver = new Promise<string>(() => undefined);

function rig(waitsForSlow = false, atOnce?: number) {
  let now = 0;
  const sleeping = new Set<{ readonly at: number; readonly wake: () => void }>();
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const one = { at: now + ms, wake: () => end() };
      const end = () => {
        sleeping.delete(one);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      sleeping.add(one);
      signal?.addEventListener('abort', end);
    });
  const turns = async () => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (ms: number) => {
    for (const end = now + ms; now < end;) {
      now += 50;
      for (const one of sleeping) if (one.at <= now) one.wake();
      await turns();
    }
  };
  const server = { probe: () => Promise.resolve('here') as Promise<unknown>, probes: 0, resets: 0 };
  const breaker = createCircuitBreaker({
    name: 'the server',
    runtime: { sleep },
    limitMs: LIMIT_MS,
    ...(waitsForSlow && { slowLimitMs: SLOW_LIMIT_MS }),
    reset: async () => void server.resets++,
    failuresPerReset: FAILURES_PER_RESET,
    ...(atOnce !== undefined && { maxConcurrent: atOnce }),
    probe: () => {
      server.probes++;
      return server.probe();
    },
    faultOf: (err) => (err === gone ? 'away' : err === busy || err === mute ? 'passing' : 'ours'),
  });
  /** Outcome of a call, or `pending`. */
  const seen = (work: (onPart: () => void) => Promise<string>) => {
    const call = { outcome: 'pending' };
    breaker.run(work).then(
      (response) => (call.outcome = response),
      (err: unknown) => (call.outcome = err instanceof Unavailable ? 'unavailable' : String(err)),
    );
    return call;
  };
  return { breaker, server, seen, pass, turns };
}

describe('a breaker', () => {
  it('hands on answers and other errors as they are', async () => {
    const { seen, turns } = rig();
    const answered = seen(() => Promise.resolve('yes'));
    const failed = seen(() => Promise.reject(new Error('wrong revision')));
    await turns();
    expect(answered.outcome).to.equal('yes');
    expect(failed.outcome).to.equal('Error: wrong revision');
  });

  it('lets only the first call wait, up to its limit, and concurrent and later ones not at all', async () => {
    const { server, seen, pass, turns } = rig();
    server.probe = () => forEver;
    const first = seen(() => forEver);
    await pass(LIMIT_MS - 100);
    const beside = seen(() => forEver);
    expect(first.outcome).to.equal('pending');
    await pass(100);
    expect([first.outcome, beside.outcome]).to.deep.equal(['unavailable', 'unavailable']);
    let isAsked = false;
    const behind = seen(() => {
      isAsked = true;
      return Promise.resolve('yes');
    });
    await turns();
    expect(behind.outcome).to.equal('unavailable');
    expect(isAsked).to.equal(false);
  });

  it('probes until the server responds, and lets calls through from then on', async () => {
    const { breaker, server, seen, pass, turns } = rig();
    server.probe = () => Promise.reject(gone);
    seen(() => Promise.reject(gone));
    await pass(5000);
    expect(server.probes).to.be.greaterThan(10);
    server.probe = () => Promise.resolve('here');
    const back = breaker.waitUntilUp(1000);
    await pass(300);
    expect(await back).to.equal(true);
    const answered = seen(() => Promise.resolve('yes'));
    await turns();
    expect(answered.outcome).to.equal('yes');
  });

  for (const frozenMs of [3000, 20_000, 60_000, 61_234])
    it(`lets calls through within 1.1 s after a server that was frozen for ${frozenMs} ms responds again`, async () => {
      const { server, seen, pass, turns } = rig();
      server.probe = () => forEver;
      seen(() => forEver);
      await pass(LIMIT_MS + frozenMs);
      const refused = seen(() => Promise.resolve('yes'));
      await turns();
      server.probe = () => Promise.resolve('here');
      await pass(1100);
      const answered = seen(() => Promise.resolve('yes'));
      await turns();
      expect([refused.outcome, answered.outcome]).to.deep.equal(['unavailable', 'yes']);
    });

  it('fails as unavailable when the server is not back in time', async () => {
    const { breaker, server, seen, pass } = rig();
    server.probe = () => Promise.reject(gone);
    seen(() => Promise.reject(gone));
    await pass(100);
    const back = breaker.waitUntilUp(500);
    await pass(500);
    expect(await back).to.equal(false);
  });

  it('fails slow calls while others are answered, and continues to call the server', async () => {
    const { seen, pass, turns } = rig();
    const slow = seen(() => forEver);
    await pass(LIMIT_MS / 2);
    seen(() => Promise.resolve('yes'));
    await pass(LIMIT_MS / 2);
    expect(slow.outcome).to.equal('unavailable');
    const next = seen(() => Promise.resolve('yes'));
    await turns();
    expect(next.outcome).to.equal('yes');
  });

  it('waits for a slow call, if configured, as long as the server responds at all', async () => {
    const { server, seen, pass, turns } = rig(true);
    let finish = (_answer: string) => {};
    const slow = seen(() => new Promise((resolve) => (finish = resolve)));
    const silent = seen(() => forEver);
    await pass(LIMIT_MS * 3);
    expect(slow.outcome).to.equal('pending');
    finish('done');
    await turns();
    expect(slow.outcome).to.equal('done');
    server.probe = () => forEver;
    await pass(LIMIT_MS * 3);
    expect(silent.outcome).to.equal('unavailable');
  });

  it('waits for a response while parts of it arrive, for a limited time', async () => {
    const { seen, pass } = rig();
    let arrive = () => {};
    const read = seen((onPart) => {
      arrive = onPart;
      return forEver;
    });
    for (let waitedMs = 0; waitedMs < 9 * LIMIT_MS; waitedMs += LIMIT_MS) {
      arrive();
      await pass(LIMIT_MS);
      expect(read.outcome).to.equal('pending');
    }
    arrive();
    await pass(2 * LIMIT_MS);
    expect(read.outcome).to.equal('unavailable');
  });

  it('fails a response whose parts do not arrive any more, after the limit of a call', async () => {
    const { seen, pass } = rig();
    const read = seen((onPart) => {
      onPart();
      return forEver;
    });
    await pass(2 * LIMIT_MS + 1000);
    expect(read.outcome).to.equal('unavailable');
  });

  it('gives up a call that never settles, though the server responds to others, and discards its connections', async () => {
    const { server, seen, pass, turns } = rig(true);
    const stuck = seen(() => forEver);
    await pass(SLOW_LIMIT_MS - LIMIT_MS);
    expect([stuck.outcome, server.resets]).to.deep.equal(['pending', 0]);
    await pass(LIMIT_MS);
    expect([stuck.outcome, server.resets]).to.deep.equal(['unavailable', 1]);
    const next = seen(() => Promise.resolve('yes'));
    await turns();
    expect(next.outcome).to.equal('yes');
  });

  it('repeats repeatable calls when the connections of one that never settles were discarded', async () => {
    const { breaker, server, pass } = rig(true);
    const run = () =>
      breaker.run(() => (server.resets === 0 ? forEver : Promise.resolve('after the reset')), { isRepeatable: true });
    const stuck = run();
    await pass(SLOW_LIMIT_MS - LIMIT_MS);
    const beside = run();
    await pass(LIMIT_MS + 300);
    expect(await Promise.all([stuck, beside])).to.deep.equal(['after the reset', 'after the reset']);
  });

  it('discards its connections again and again while probes fail, so that none can hide a server that is back', async () => {
    const { server, seen, pass } = rig();
    server.probe = () => (server.resets === 2 ? Promise.resolve('here') : forEver);
    seen(() => Promise.reject(gone));
    await pass(60_000);
    expect(server.resets).to.equal(2);
  });

  it('reports as unavailable what the server could not do now, and lets other calls through', async () => {
    const { seen, turns } = rig();
    const failed = seen(() => Promise.reject(busy));
    const beside = seen(() => Promise.resolve('yes'));
    await turns();
    expect([failed.outcome, beside.outcome]).to.deep.equal(['unavailable', 'yes']);
  });

  it('names the class of an error that has no message', async () => {
    const { breaker } = rig();
    const failed = breaker.run(() => Promise.reject(mute)).catch((err: unknown) => String(err));
    expect(await failed).to.equal('Unavailable: the server failed the request: GaveUp');
  });

  it('repeats idempotent work when the connection broke and the server is back soon', async () => {
    const { breaker, pass } = rig();
    let times = 0;
    const work = () => (++times === 1 ? Promise.reject(gone) : Promise.resolve(`time ${times}`));
    const repeated = breaker.run(work, { isRepeatable: true });
    await pass(300);
    expect(await repeated).to.equal('time 2');
  });

  it('does not repeat what is not repeatable', async () => {
    const { seen, pass } = rig();
    let times = 0;
    const once = seen(() => (++times === 1 ? Promise.reject(gone) : Promise.resolve('again')));
    await pass(300);
    expect([once.outcome, times]).to.deep.equal(['unavailable', 1]);
  });

  it('lets so many calls be under way at once, and counts the limit of the others from when their turn comes', async () => {
    const { server, seen, pass, turns } = rig(false, 2);
    const finish: ((answer: string) => void)[] = [];
    const slow = () => new Promise<string>((resolve) => finish.push(resolve));
    const calls = [seen(slow), seen(slow), seen(slow)];
    await pass(LIMIT_MS - 100);
    expect(finish).to.have.length(2);
    finish[0]?.('first');
    finish[1]?.('second');
    await pass(LIMIT_MS - 100);
    finish[2]?.('third');
    await turns();
    expect(calls.map(({ outcome }) => outcome)).to.deep.equal(['first', 'second', 'third']);
    expect(server.probes).to.equal(0);
  });

  it('fails those that wait for their turn as soon as the server is found away, without asking it', async () => {
    const { server, seen, pass, turns } = rig(false, 1);
    server.probe = () => forEver;
    let isAsked = false;
    const silent = seen(() => forEver);
    const waiting = seen(() => {
      isAsked = true;
      return Promise.resolve('yes');
    });
    await turns();
    await pass(LIMIT_MS);
    expect([silent.outcome, waiting.outcome, isAsked]).to.deep.equal(['unavailable', 'unavailable', false]);
  });
});
