// Clients of worker threads: a thread that is stuck is ended, so that nobody waits for it for ever.
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { CLOSE_TIMEOUT_MS, createThreadClient, SILENCE_MS } from '../../src/adapters/threads.js';
import { Unavailable } from '../../src/domain/errors.js';

type Request = { readonly text: string };
type Response = { readonly text: string };

/** Answers each request with its text; for `loop` its event loop stops. */
const ECHO = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close();
    if (message.text === 'loop') for (;;);
    parentPort.postMessage(message);
  });`;
describe('client of a worker thread', () => {
  let clock: SinonFakeTimers;
  let started: number;
  beforeEach(() => {
    started = 0;
    clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  const open = () =>
    createThreadClient<Request, Response>({
      start: () => {
        started++;
        return new Worker(ECHO, { eval: true, execArgv: [] });
      },
      endedError: (why) => new Unavailable(`the thread ended: ${why}`),
    });

  it('answers the callers of a stuck thread, and the next request by another thread', async () => {
    const client = open();
    expect((await client.ask({ text: 'a' })).text).to.equal('a');
    const stuck = Promise.allSettled(['loop', 'b'].map((text) => client.ask({ text })));
    clock.tick(SILENCE_MS);
    for (const outcome of await stuck) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
      expect(reason).to.be.instanceOf(Unavailable);
      expect(String(reason)).to.contain(`no response within ${SILENCE_MS} ms`);
    }
    expect((await client.ask({ text: 'c' })).text).to.equal('c');
    expect(started).to.equal(2);
    await client.close();
  });

  it('does not end a thread without waiting callers, nor one that responds to others', async () => {
    const client = open();
    expect((await client.ask({ text: 'a' })).text).to.equal('a');
    clock.tick(SILENCE_MS);
    const first = client.ask({ text: 'b' });
    clock.tick(SILENCE_MS - 1);
    const second = client.ask({ text: 'c' });
    await first;
    clock.tick(SILENCE_MS - 1);
    expect((await second).text).to.equal('c');
    expect(started).to.equal(1);
    await client.close();
  });

  it('ends a stuck thread when it closes', async () => {
    const client = open();
    const stuck = client.ask({ text: 'loop' }).catch((err: unknown) => err);
    const closed = client.close();
    clock.tick(CLOSE_TIMEOUT_MS);
    await closed;
    expect(await stuck).to.be.instanceOf(Unavailable);
  });
});
