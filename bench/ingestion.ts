// Benchmark of store notifications per second that the service verifies, stores and acknowledges, compared with verification alone on the
// same core; also the lag of the read models, the time until all are processed, and the growth of memory over many notifications.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { storePayloads, type StorePayloads } from '../simulator/ios-store/payloads.js';
import { atLeast, atMost, median, type BenchRow } from './bench.js';
import { oneCore } from './cores.js';
import {
  sendNotifications,
  createApp,
  signedNotifications,
  verifyNotifications,
  writeNotifications,
} from './notifications.js';
import { serveBareReceiver, serveService, type ServerProcess } from './processes.js';
import { cpuMsOf, observeService, ownMemoryOf, type ServiceObserver } from './service-observer.js';

const IN_FLIGHT = 64;
const ROUNDS = 5;
/** The service and the bare verification use one core, the sender the other. */
const MEASURED_CORE = 0;
const SENDING_CORE = 1;
/** Number of notifications between two memory samples. */
const PART = 5000;

type Rig = {
  readonly service: ServerProcess;
  readonly bare: ServerProcess;
  readonly target: URL;
  readonly looker: ServiceObserver;
  readonly store: StorePayloads;
  readonly rootFile: string;
  readonly file: string;
};
type Round = {
  /** Rates per second. */
  readonly verified: number;
  readonly bare: number;
  readonly received: number;
  readonly processed: number;
  /** Processor time per notification in microseconds, until the last response and until all are processed. */
  readonly verifyCpu: number;
  readonly receiveCpu: number;
  readonly wholeCpu: number;
  readonly lagP99: number;
};

export async function benchIngestion(short: boolean): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  try {
    const { sign, rootPem } = await createCertificateAuthority();
    const rootFile = join(directory, 'root.pem');
    writeFileSync(rootFile, rootPem);
    const parts = { store: storePayloads(sign), rootFile, file: join(directory, 'notifications') };
    const customers = short ? 400 : 1500;
    return [
      ...(await rateRows(join(directory, 'rates'), parts, customers)),
      ...(await memoryRows(join(directory, 'memory'), parts, short ? 4 : 40)),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Parts = Pick<Rig, 'store' | 'rootFile' | 'file'>;
type ServiceRig = Omit<Rig, 'bare'>;

async function withService<T>(
  dataDir: string,
  parts: Parts,
  core: number | undefined,
  work: (rig: ServiceRig) => Promise<T>,
): Promise<T> {
  const env = {
    MASTER_KEY: randomBytes(32).toString('base64'),
    IOS_STORE_ROOT_CERTIFICATES: parts.rootFile,
  };
  const service = await serveService(dataDir, env, core);
  const looker = observeService(dataDir);
  try {
    return await work({ ...parts, service, looker, target: (await createApp(service.url)).target });
  } finally {
    looker.close();
    await service.stop();
  }
}

async function rateRows(dataDir: string, parts: Parts, customers: number): Promise<BenchRow[]> {
  const bare = await serveBareReceiver(parts.rootFile, MEASURED_CORE);
  const rounds: Round[] = [];
  try {
    await withService(dataDir, parts, MEASURED_CORE, async (serving) => {
      const rig = { ...serving, bare };
      for (let round = 0; round <= ROUNDS; round++) rounds.push(await measureRound(rig, round * customers, customers));
    });
  } finally {
    await bare.stop();
  }
  // A warm-up.
  rounds.shift();
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  const burst = (2 * customers).toLocaleString('en');
  return [
    { name: `ios-store notifications verified alone, ${oneCore}`, value: of((r) => r.verified), unit: '/s' },
    {
      name: `received and durable, ${IN_FLIGHT} in flight, bursts of ${burst}, ${oneCore}`,
      value: of((r) => r.received),
      unit: '/s',
    },
    atLeast(
      `received : verified alone, ${oneCore}`,
      of((r) => r.received / r.verified),
      0.6,
      'ratio',
    ),
    {
      name: 'bare Express that verifies and stores nothing : verified alone',
      value: of((r) => r.bare / r.verified),
      unit: 'ratio',
    },
    { name: 'from the first request to the last read model', value: of((r) => r.processed), unit: '/s' },
    { name: 'the same : verified alone', value: of((r) => r.processed / r.verified), unit: 'ratio' },
    { name: 'processor time to verify one', value: of((r) => r.verifyCpu), unit: 'µs' },
    {
      name: 'processor time of the service for one until the last response',
      value: of((r) => r.receiveCpu),
      unit: 'µs',
    },
    { name: 'of the service for one with inbox and read models', value: of((r) => r.wholeCpu), unit: 'µs' },
    atMost(
      'read models behind the log meanwhile, p99',
      of((r) => r.lagP99),
      1000,
      'ms',
    ),
  ];
}

async function measureRound(rig: Rig, first: number, customers: number): Promise<Round> {
  const { service, looker, target, file, rootFile } = rig;
  const count = 2 * customers;
  writeNotifications(file, signedNotifications(rig.store, first, customers));
  const alone = await verifyNotifications(file, rootFile, IN_FLIGHT, MEASURED_CORE);
  const bare = await sendNotifications(new URL(rig.bare.url), file, IN_FLIGHT, SENDING_CORE);
  const before = cpuMsOf(service.pid);
  const { result, p99Ms } = await looker.lagDuring(async () => {
    const sent = await sendNotifications(target, file, IN_FLIGHT, SENDING_CORE);
    const receiveMs = cpuMsOf(service.pid) - before;
    return { ...sent, receiveMs, ...(await looker.catchUp(2 * (first + customers))) };
  });
  const wholeMs = result.ms + Math.max(0, result.readModelsAt - result.endedAt);
  const each = (ms: number) => (ms * 1000) / count;
  return {
    verified: (count * 1000) / alone.ms,
    bare: (count * 1000) / bare.ms,
    received: (count * 1000) / result.ms,
    processed: (count * 1000) / wholeMs,
    verifyCpu: each(alone.cpuMs),
    receiveCpu: each(result.receiveMs),
    wholeCpu: each(cpuMsOf(service.pid) - before),
    lagP99: p99Ms,
  };
}

/** Compares the memory of the service in the last quarter with the first; all processes share all cores. */
async function memoryRows(dataDir: string, parts: Parts, count: number): Promise<BenchRow[]> {
  const found = await withService(dataDir, parts, undefined, async (rig) => {
    const after: number[] = [];
    for (let part = 0; part < count; part++) {
      writeNotifications(rig.file, signedNotifications(rig.store, (part * PART) / 2, PART / 2));
      await sendNotifications(rig.target, rig.file, IN_FLIGHT);
      await rig.looker.catchUp((part + 1) * PART);
      after.push(ownMemoryOf(rig.service.pid));
    }
    return after;
  });
  const quarter = Math.max(1, Math.floor(count / 4));
  const [early, late] = [median(found.slice(0, quarter)), median(found.slice(-quarter))];
  const total = (count * PART).toLocaleString('en');
  return [
    { name: `own memory in the first quarter of ${total} notifications`, value: early, unit: 'MiB' },
    { name: 'own memory in the last quarter of them', value: late, unit: 'MiB' },
    atMost('last quarter : first quarter', late / early, 1.25, 'ratio'),
  ];
}
