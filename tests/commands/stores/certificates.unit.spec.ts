// Appending certificates, and reading bodies back unchanged.
import { expect } from 'chai';
import { readRawBody } from '../../../src/adapters/event-log/raw-body.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { createCertificateStore } from '../../../src/commands/stores/inbox/certificates.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { familyOf } from '../../../src/domain/streams.js';
import { eventsOf, memoryDeps } from '../support/memory-deps.js';
import { notification, store, stranger } from '../../adapters/ios-store/fixture.js';

const bodyOf = (authority = store, notificationUUID = '1') =>
  JSON.stringify({ signedPayload: notification(authority, { notificationUUID }) });

async function rig(wrapLog?: (log: EventLog) => EventLog) {
  const { deps } = await memoryDeps(wrapLog);
  const kept = async () => (await eventsOf(deps.log)).filter((e) => familyOf(e.stream) === 'certificates');
  const pack = (body: string, certificates = deps.certificates) => certificates.pack(deps, 'ios-store', body);
  return { deps, kept, pack };
}

describe('certificates of notifications', () => {
  it('are kept once for all that name them, also when these come together', async () => {
    const { deps, kept, pack } = await rig();
    const bodies = ['1', '2', '3'].map((n) => bodyOf(store, n));
    const packed = await Promise.all(bodies.map((body) => pack(body)));
    expect((await kept()).map((e) => e.type)).to.deep.equal(['SigningCertificatesKept']);
    for (const [i, body] of bodies.entries()) {
      expect(packed[i]).to.be.an('object');
      expect(await readRawBody(deps.log, packed[i] ?? '')).to.equal(body);
    }
  });

  it('are kept once by several processes, and after a restart', async () => {
    const { kept, pack } = await rig();
    await pack(bodyOf());
    await Promise.all([pack(bodyOf(), createCertificateStore()), pack(bodyOf(), createCertificateStore())]);
    expect(await kept()).to.have.length(1);
    await pack(bodyOf(stranger));
    expect(await kept()).to.have.length(2);
  });

  it('are durable before anything names them', async () => {
    let isAway = true;
    const { deps, kept, pack } = await rig((log) => ({
      ...log,
      append: async (...args) => {
        if (isAway) throw new Unavailable('the log is away');
        return log.append(...args);
      },
    }));
    const body = bodyOf();
    const failure = await pack(body).catch((err: unknown) => err);
    expect(failure).to.be.instanceOf(Unavailable);
    isAway = false;
    expect(await readRawBody(deps.log, await pack(body))).to.equal(body);
    expect(await kept()).to.have.length(1);
  });

  it('are missed out loud when the log lacks them', async () => {
    const [{ pack }, other] = [await rig(), await rig()];
    const failure = await readRawBody(other.deps.log, await pack(bodyOf())).catch((err: unknown) => err);
    expect(String(failure)).to.include('restore a backup');
  });

  it('a body from before, or of another store, is kept and read as it is', async () => {
    const { deps, kept, pack } = await rig();
    expect(await pack('{"message":{"data":"e30="}}')).to.equal('{"message":{"data":"e30="}}');
    const body = bodyOf();
    expect(await readRawBody(deps.log, body)).to.equal(body);
    expect(await kept()).to.deep.equal([]);
  });
});
