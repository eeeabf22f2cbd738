// Memory from another thread is gone at once, whether or not garbage is collected.
import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { freeMemory } from '../../../src/main/charts/thread-client.js';

const SIZE = 64 * 1024 * 1024;

describe('free memory', () => {
  it('no longer counts released memory, and may be called twice', async () => {
    const { port1, port2 } = new MessageChannel();
    const sent = new ArrayBuffer(SIZE);
    const received = once(port2, 'message') as Promise<[{ data: ArrayBuffer } | ArrayBuffer]>;
    port1.postMessage(sent, [sent]);
    const [message] = await received;
    const buffer = message instanceof ArrayBuffer ? message : message.data;
    expect(buffer.byteLength).to.equal(SIZE);
    const before = process.memoryUsage().arrayBuffers;
    freeMemory([buffer, new ArrayBuffer(0)]);
    freeMemory([buffer]);
    expect(buffer.byteLength).to.equal(0);
    expect(process.memoryUsage().arrayBuffers).to.be.lessThan(before - SIZE / 2);
    port1.close();
  });
});
