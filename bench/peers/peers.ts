// Compares the service with other implementations of the same work: always with a hand-written receiver that stores nothing durably; with
// PEER_URL also with a service that returns the access of a user at `/onesub/status?userId=user-<i>`; see docs/performance.md.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../simulator/ios-store/payloads.js';
import { atLeast, median, sideBySide, type BenchRow } from '../bench.js';
import { oneCore } from '../cores.js';
import { zipf, randomRequests } from '../request-distribution.js';
import { sendNotifications, createApp, signedNotifications, writeNotifications } from '../notifications.js';
import { requestsPerSecond, serveHandWrittenReceiver, serveService } from '../processes.js';
import { seed } from '../seed.js';
import { cpuMsOf, waitUntilIdle } from '../service-observer.js';

const IN_FLIGHT = 64;
const MEASURED_CORE = 0;
const SENDING_CORE = 1;

export async function benchPeers(short: boolean): Promise<BenchRow[]> {
  const peerUrl = process.env['PEER_URL'];
  return [...(await receivingRows(short)), ...(peerUrl === undefined ? [] : await readingRows(peerUrl, short))];
}

async function receivingRows(short: boolean): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const [rootFile, file] = [join(directory, 'root.pem'), join(directory, 'notifications')];
  const { sign, rootPem } = await createCertificateAuthority();
  writeFileSync(rootFile, rootPem);
  const store = storePayloads(sign);
  const customers = short ? 300 : 1000;
  const env = { MASTER_KEY: randomBytes(32).toString('base64'), IOS_STORE_ROOT_CERTIFICATES: rootFile };
  const service = await serveService(join(directory, 'data'), env, MEASURED_CORE);
  const peer = await serveHandWrittenReceiver(rootFile, MEASURED_CORE);
  try {
    const targets = {
      ours: [service.pid, (await createApp(service.url)).target],
      theirs: [peer.pid, new URL(peer.url)],
    } as const;
    const cpu: Record<keyof typeof targets, number[]> = { ours: [], theirs: [] };
    let first = 0;
    const receive = (who: keyof typeof targets) => async () => {
      const [pid, target] = targets[who];
      // Each round sends new notifications, because known ones would be duplicates.
      writeNotifications(file, signedNotifications(store, first, customers));
      first += customers;
      const before = cpuMsOf(pid);
      const { count, ms } = await sendNotifications(target, file, IN_FLIGHT, SENDING_CORE);
      cpu[who].push(((cpuMsOf(pid) - before) * 1000) / count);
      return (count * 1000) / ms;
    };
    const perS = await sideBySide(short ? 3 : 5, { ours: receive('ours'), theirs: receive('theirs') });
    const [ours, theirs] = [median(cpu.ours.slice(1)), median(cpu.theirs.slice(1))];
    return [
      { name: `notifications received, durable, ${oneCore}`, value: perS.ours, unit: '/s' },
      { name: `hand-written receiver, nothing durable, ${oneCore}`, value: perS.theirs, unit: '/s' },
      atLeast('received, durable : hand-written receiver', perS.ours / perS.theirs, 1, 'ratio'),
      { name: 'processor time of one, hand-written receiver', value: theirs, unit: 'µs' },
      { name: 'processor time of one until the last response', value: ours, unit: 'µs' },
      atLeast('the same in processor time', theirs / ours, 1, 'ratio'),
    ];
  } finally {
    await Promise.all([service.stop(), peer.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function readingRows(peerUrl: string, short: boolean): Promise<BenchRow[]> {
  const subscribers = short ? 10_000 : 100_000;
  const seconds = short ? 2 : 4;
  const seeded = await seed(subscribers);
  const service = await serveService(seeded.dataDir, { MASTER_KEY: seeded.masterKey });
  try {
    await waitUntilIdle(service.pid);
    const own = { 'x-api-key': seeded.apiKey };
    const ours = randomRequests(subscribers, zipf, (i) => `/v1/subscribers/user-${i}`, own);
    const theirs = randomRequests(subscribers, zipf, (i) => `/onesub/status?userId=user-${i}`);
    const perS = await sideBySide(short ? 3 : 5, {
      ours: () => requestsPerSecond({ url: service.url, seconds, requests: ours }),
      theirs: () => requestsPerSecond({ url: peerUrl, seconds, requests: theirs }),
    });
    return [
      { name: 'GET subscriber, Zipf 1.0', value: perS.ours, unit: '/s' },
      { name: `the peer's status route, ${peerUrl}`, value: perS.theirs, unit: '/s' },
      atLeast('GET subscriber : the peer', perS.ours / perS.theirs, 2, 'ratio'),
    ];
  } finally {
    await service.stop();
    rmSync(seeded.dataDir, { recursive: true, force: true });
  }
}
