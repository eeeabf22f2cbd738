// Statistics of the SDKs that call: they survive a restart, and processes add to each other's.
import { expect } from 'chai';
import {
  createSdkCalls,
  deleteSdkCalls,
  sdkCallCollection,
  type SdkCall,
} from '../../../src/commands/projects/sdk-calls.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { memoryDeps } from '../support/memory-deps.js';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const MINUTE = 60_000;

describe('statistics of SDK calls', () => {
  let docs: DocStore;
  let now: number;
  const runtime = { now: () => now, elapsed: () => now };
  const open = () => createSdkCalls(docs, runtime);
  let writes: number;
  let isAway: boolean;
  beforeEach(async () => {
    const { deps } = await memoryDeps();
    await deps.docs.ensure([sdkCallCollection]);
    [now, writes, isAway] = [START, 0, false];
    docs = {
      ...deps.docs,
      write: (batches) => {
        if (isAway) return Promise.reject(new Unavailable('away'));
        writes++;
        return deps.docs.write(batches);
      },
    };
  });

  const call = (more: Partial<SdkCall> = {}): SdkCall => ({
    ...{ projectId: 'p', platform: 'iOS', flavor: 'native', sdkVersion: '5.86.0', appVersion: '1' },
    ...{ isReceipt: false, status: 200, reason: null },
    ...more,
  });

  it('survive a restart', async () => {
    const before = open();
    before.record(call());
    now += 1000;
    before.record(call({ isReceipt: true, appVersion: '2' }));
    now += 1000;
    before.record(call({ isReceipt: true, status: 400, reason: 'Invalid receipt' }));
    await before.flush();
    const use = await open().of('p');
    expect(use).to.deep.equal(await before.of('p'));
    expect(use.versions.map((v) => [v.appVersion, v.lastCallAt])).to.deep.equal([
      ['1', '2026-11-20T10:00:02.000Z'],
      ['2', '2026-11-20T10:00:01.000Z'],
    ]);
    expect(use.firstReceiptAt).to.equal('2026-11-20T10:00:01.000Z');
    expect(use.lastRefusedReceipt).to.deep.equal({
      ...{ at: '2026-11-20T10:00:02.000Z', status: 400, reason: 'Invalid receipt' },
    });
  });

  it('of several processes are added, with the first receipt and the last refusal of all', async () => {
    const [a, b] = [open(), open()];
    a.record(call({ isReceipt: true, status: 503, reason: 'earlier' }));
    now += 1000;
    b.record(call({ isReceipt: true, platform: 'android' }));
    now += 1000;
    a.record(call({ isReceipt: true }));
    b.record(call({ isReceipt: true, status: 503, reason: 'later' }));
    await a.flush();
    await b.flush();
    const use = await open().of('p');
    expect(use.versions.map((v) => v.platform)).to.have.members(['iOS', 'android']);
    expect(use.firstReceiptAt).to.equal('2026-11-20T10:00:01.000Z');
    expect(use.lastRefusedReceipt?.reason).to.equal('later');
    await b.flush();
    expect(await open().of('p')).to.deep.equal(use);
  });

  it('are written at most once a minute, however many calls there are', async () => {
    const calls = open();
    calls.record(call());
    await calls.flush();
    expect(writes).to.equal(1);
    now += MINUTE - 1;
    for (let n = 0; n < 100; n++) calls.record(call({ appVersion: String(n % 7) }));
    now += 1;
    calls.record(call());
    await calls.flush();
    expect(writes).to.equal(2);
    expect((await open().of('p')).versions).to.have.length(7);
  });

  it('keep the latest 50 versions', async () => {
    const calls = open();
    for (let n = 0; n < 60; n++) {
      now += 1;
      calls.record(call({ appVersion: String(n) }));
    }
    await calls.flush();
    const { versions } = await open().of('p');
    expect(versions.map((v) => v.appVersion)).to.deep.equal(Array.from({ length: 50 }, (_, n) => String(59 - n)));
  });

  it('are kept in memory while the store cannot be written, and written later', async () => {
    isAway = true;
    const calls = open();
    calls.record(call());
    await calls.flush();
    expect((await calls.of('p')).versions).to.have.length(1);
    isAway = false;
    await calls.flush();
    expect((await open().of('p')).versions).to.have.length(1);
  });

  it('of a deleted project are removed', async () => {
    const calls = open();
    calls.record(call());
    await calls.flush();
    await deleteSdkCalls({ docs }, 'p');
    expect((await open().of('p')).versions).to.deep.equal([]);
  });
});
