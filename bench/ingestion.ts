// Store notifications per second that the compiled service verifies, keeps and answers, next to verifying them and nothing else on the same
// cores; how far behind the inbox and the read models are meanwhile; and whether memory stays flat over many of them.
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIosSignedData } from '../src/adapters/ios-store/signed-data.js';
import type { IosSignedData } from '../src/adapters/ios-store/port.js';
import { createCertificateAuthority } from '../src/simulator/ios-store/certificate-authority.js';
import { storePayloads, type StorePayloads } from '../src/simulator/ios-store/payloads.js';
import { atLeast, atMost, median, type BenchRow } from './bench.js';
import { sendNotifications, setUpApp, signedNotifications } from './notifications.js';
import { serveService, type Served } from './processes.js';
import { cpuMsOf, lookAt, ownMemoryOf, type Looker } from './service-watch.js';

const IN_FLIGHT = 64;
const ROUNDS = 5;
/** How many are signed, sent and worked off between two looks at the memory. */
const PART = 5000;

type Rig = {
  readonly service: Served;
  readonly target: URL;
  readonly looker: Looker;
  readonly store: StorePayloads;
  readonly verifier: IosSignedData;
  readonly file: string;
};
type Round = {
  /** Per second. */
  readonly verified: number;
  readonly ingested: number;
  /** Microseconds of processor time per notification. */
  readonly verifyCpu: number;
  readonly serviceCpu: number;
  readonly senderCpu: number;
  readonly lagP99: number;
  readonly inboxMs: number;
  readonly viewsMs: number;
};

export async function benchIngestion(short: boolean): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const authority = await createCertificateAuthority();
  const rootFile = join(directory, 'root.pem');
  writeFileSync(rootFile, authority.rootPem);
  const dataDir = join(directory, 'data');
  const service = await serveService(dataDir, {
    MASTER_KEY: randomBytes(32).toString('base64'),
    IOS_STORE_ROOT_CERTIFICATES: rootFile,
  });
  const looker = lookAt(dataDir);
  try {
    const target = await setUpApp(service.url);
    const roots = [new X509Certificate(authority.rootPem).raw];
    const verifier = createIosSignedData({ roots, onlineChecks: false, now: () => Date.now() });
    const store = storePayloads(authority.sign);
    const rig: Rig = { service, target, looker, store, verifier, file: join(directory, 'notifications') };
    const customers = short ? 400 : 1500;
    const rounds: Round[] = [];
    // One more to warm up.
    for (let round = 0; round <= ROUNDS; round++) {
      const found = await measureRound(rig, round * customers, customers);
      if (round > 0) rounds.push(found);
    }
    const sent = (ROUNDS + 1) * 2 * customers;
    return [...rateRows(rounds, 2 * customers), ...(await memoryRows(rig, sent, short ? 4 : 40))];
  } finally {
    looker.close();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureRound(rig: Rig, first: number, customers: number): Promise<Round> {
  const { service, looker, verifier } = rig;
  const signed = signedNotifications(rig.store, first, customers);
  const perNotification = (ms: number) => (ms * 1000) / signed.length;

  const cpu = process.cpuUsage();
  const start = performance.now();
  await verifyAll(verifier, signed);
  const verified = (signed.length * 1000) / (performance.now() - start);
  const { user, system } = process.cpuUsage(cpu);

  const cpuMs = cpuMsOf(service.pid);
  const { result, p99Ms } = await looker.lagDuring(async () => {
    const sent = await sendNotifications(rig.target, signed, IN_FLIGHT, rig.file);
    return { ...sent, ...(await looker.catchUp(2 * (first + customers))) };
  });
  return {
    verified,
    ingested: (result.count * 1000) / result.ms,
    verifyCpu: perNotification((user + system) / 1000),
    serviceCpu: perNotification(cpuMsOf(service.pid) - cpuMs),
    senderCpu: perNotification(result.cpuMs),
    lagP99: p99Ms,
    inboxMs: Math.max(0, result.inboxAt - result.endedAt),
    viewsMs: Math.max(0, result.viewsAt - result.endedAt),
  };
}

/** As many in flight as the service gets; the signatures are checked on the pool's threads, so on all cores. */
async function verifyAll(verifier: IosSignedData, signed: readonly string[]): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let text = signed[next++]; text !== undefined; text = signed[next++]) await verifier.verifyNotification(text);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
}

function rateRows(rounds: readonly Round[], count: number): BenchRow[] {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  const cores = `${availableParallelism()} cores`;
  return [
    { name: `ios-store notifications verified alone, ${cores}`, value: of((r) => r.verified), unit: '/s' },
    {
      name: `ingested, ${IN_FLIGHT} in flight, the sender on the same ${cores}`,
      value: of((r) => r.ingested),
      unit: '/s',
    },
    atLeast(
      `ingested : verified alone, ${cores}`,
      of((r) => r.ingested / r.verified),
      0.6,
      'ratio',
    ),
    { name: 'processor time to verify one', value: of((r) => r.verifyCpu), unit: 'µs' },
    { name: 'of the service for one, with inbox and read models', value: of((r) => r.serviceCpu), unit: 'µs' },
    { name: 'of the sender for one', value: of((r) => r.senderCpu), unit: 'µs' },
    atMost(
      'read models behind the log while ingesting, p99',
      of((r) => r.lagP99),
      1000,
      'ms',
    ),
    { name: `inbox done after the last of ${count} answers`, value: of((r) => r.inboxMs), unit: 'ms' },
    { name: 'read models current after the last of them', value: of((r) => r.viewsMs), unit: 'ms' },
    {
      name: 'ingested and worked off, from the first request to the read models',
      value: of((r) => count / (count / r.ingested + r.viewsMs / 1000)),
      unit: '/s',
    },
  ];
}

/** Its own memory after each part, in the first quarter against the last. */
async function memoryRows(rig: Rig, already: number, parts: number): Promise<BenchRow[]> {
  const found: number[] = [];
  for (let part = 0, first = already / 2; part < parts; part++, first += PART / 2) {
    await sendNotifications(rig.target, signedNotifications(rig.store, first, PART / 2), IN_FLIGHT, rig.file);
    await rig.looker.catchUp(already + (part + 1) * PART);
    found.push(ownMemoryOf(rig.service.pid));
  }
  const quarter = Math.max(1, Math.floor(parts / 4));
  const [early, late] = [median(found.slice(0, quarter)), median(found.slice(-quarter))];
  const total = (parts * PART).toLocaleString('en');
  return [
    { name: `own memory in the first quarter of ${total} notifications`, value: early, unit: 'MiB' },
    { name: 'own memory in the last quarter of them', value: late, unit: 'MiB' },
    atMost('last quarter : first quarter', late / early, 1.25, 'ratio'),
  ];
}
