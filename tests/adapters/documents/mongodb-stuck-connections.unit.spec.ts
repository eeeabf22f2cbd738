// Connections that are destroyed within a write of MongoDB's driver, which then waits for ever: neither a call nor the server may be lost.
import { Socket } from 'node:net';
import { expect } from 'chai';
import { restore, stub } from 'sinon';
import { openMongoDocuments, type MongoDocuments } from '../../../src/adapters/documents/mongodb/store.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { CUSTOMERS, insert } from '../../contract/opened-documents.js';
import { startMongoStandIn, type MongoStandIn } from './mongodb-stand-in/server.js';
import { poll } from '../../fixtures/poll.js';

/** Our own time limits pass so many times sooner; those of the driver do not. */
const HURRY = 4;

describe('MongoDB documents when a connection is destroyed within a write', function () {
  this.timeout(120_000);
  let server: MongoStandIn;
  let store: MongoDocuments;
  beforeEach(async () => {
    server = await startMongoStandIn();
    const runtime = systemRuntime();
    const sleep = (ms: number, signal?: AbortSignal) => runtime.sleep(ms / HURRY, signal);
    store = openMongoDocuments({ url: server.url, runtime: { ...runtime, sleep } });
    await store.ensure([CUSTOMERS]);
  });
  afterEach(async () => {
    restore();
    await store.close();
    await server.close();
  });

  /** Destroys the socket within its next write of a chosen message. Resolves once it has happened. */
  const destroyWithin = (isChosen: (message: string) => boolean): Promise<void> =>
    new Promise((resolve) => {
      let isDone = false;
      const write = stub(Socket.prototype, 'write').callsFake(function (this: Socket, ...args: unknown[]) {
        const [chunk] = args;
        const isOurs = !isDone && server.url.includes(`:${this.remotePort}/`) && chunk instanceof Uint8Array;
        if (isOurs && isChosen(Buffer.from(chunk).toString('latin1'))) {
          isDone = true;
          this.destroy();
          resolve();
        }
        return write.wrappedMethod.apply(this, args as Parameters<Socket['write']>);
      });
    });
  const isAvailable = () =>
    store.ping().then(
      () => true,
      (err: unknown) => {
        if (err instanceof Unavailable) return false;
        throw err;
      },
    );

  it('settles the call in time, and the next ones succeed', async () => {
    const isDestroyed = destroyWithin((message) => message.includes('insert'));
    const written = store.write([[insert('a')]]).catch((err: unknown) => err);
    await isDestroyed;
    expect(await written).to.satisfy((result: unknown) => result === 'ok' || result instanceof Unavailable);
    await poll(isAvailable, (available) => available);
    expect(await store.write([[insert('b')]])).to.equal('ok');
  });

  it('finds the server again when the connection was that on which the driver looks for the server', async () => {
    await server.goDown();
    await poll(isAvailable, (available) => !available);
    const isDestroyed = destroyWithin((message) => /hello|ismaster/i.test(message));
    await server.comeBack();
    await isDestroyed;
    await poll(isAvailable, (available) => available);
    expect(await store.write([[insert('a')]])).to.equal('ok');
  });
});
