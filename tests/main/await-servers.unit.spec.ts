// The wait for servers at the start of a process: its schedule, what it logs, and what ends it.
import { expect } from 'chai';
import { readConfig } from '../../src/adapters/configuration/config.js';
import { EVENTSTOREDB, MONGODB, serversOf } from '../../src/adapters/configuration/servers.js';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { CannotOpen, Unavailable } from '../../src/domain/errors.js';
import { openOnceServersRespond, startOnceServersRespond } from '../../src/main/await-servers.js';
import { fakeRuntime } from '../commands/support/memory-deps.js';
import { listener } from '../workers/rig.js';

const SERVERS = {
  EVENTSTORE_URL: 'esdb://admin:secret@log.example:2113?tls=true',
  MONGODB_URL: 'mongodb://user:secret@docs.example:27017/db?authSource=admin',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  JWT_SECRET: 'a secret that only the tests know of',
};
const away = (name: string) => new Unavailable(`${name} cannot be reached: connection refused`);

/** `errors`: what opening fails with, one time after the other, before it succeeds. */
function rig(env: Record<string, string>, errors: unknown[]) {
  const { runtime, sleeps } = fakeRuntime();
  const { logger, lines } = listener();
  const config = readConfig({ PORT: '0', ...env });
  const deps = { config, runtime: { ...systemRuntime(), elapsed: runtime.elapsed, sleep: runtime.sleep }, logger };
  const open = async () => {
    if (errors.length > 0) throw errors.shift();
    return 'opened';
  };
  const opening = openOnceServersRespond(deps, open);
  return { opening, sleeps, lines };
}

describe('the wait for servers at the start', () => {
  it('tries again after 1, 2, 4 and then every 5 seconds until all respond', async () => {
    const log = Array.from({ length: 6 }, () => away(EVENTSTOREDB));
    const { opening, sleeps } = rig({ ...SERVERS, ROLES: 'worker' }, log);
    expect((await opening).opened).to.equal('opened');
    expect(sleeps).to.deep.equal([1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('begins again when a server is lost during the start, on a new engine', async () => {
    const { runtime } = fakeRuntime();
    const deps = {
      config: readConfig({ PORT: '0', ...SERVERS, ROLES: 'worker' }),
      runtime: { ...systemRuntime(), elapsed: runtime.elapsed, sleep: runtime.sleep },
      logger: listener().logger,
    };
    const steps: string[] = [];
    const open = async () => {
      steps.push('open');
      return { close: async () => void steps.push('close') };
    };
    const failures: unknown[] = [away(MONGODB), away(EVENTSTOREDB)];
    const started = await startOnceServersRespond(deps, open, async () => {
      if (failures.length > 0) throw failures.shift();
      return 'started';
    });
    expect([started, ...steps]).to.deep.equal(['started', 'open', 'close', 'open', 'close', 'open']);
  });

  it('calls the log server by the scheme of its URL', () => {
    const nameOf = (url: string) => serversOf({ ...SERVERS, EVENTSTORE_URL: url }).map(({ name }) => name)[0];
    expect(nameOf('esdb://log.example:2113')).to.equal('EventStoreDB');
    expect(nameOf('kurrentdb://log.example:2113')).to.equal('KurrentDB');
    expect(nameOf('kurrentdb+discover://log.example')).to.equal('KurrentDB');
  });

  it('logs what it waits for, where, for how long and when it tries again, without credentials', async () => {
    const { opening, lines } = rig({ ...SERVERS, ROLES: 'worker' }, [away(MONGODB), away(MONGODB), away(EVENTSTOREDB)]);
    await opening;
    const waits = lines.filter(({ level }) => level === 40);
    expect(
      waits.map(({ servers, waitedSeconds, nextTryInMs }) => ({ servers, waitedSeconds, nextTryInMs })),
    ).to.deep.equal([
      { servers: [{ name: MONGODB, url: 'mongodb://docs.example:27017/db' }], waitedSeconds: 0, nextTryInMs: 1000 },
      { servers: [{ name: MONGODB, url: 'mongodb://docs.example:27017/db' }], waitedSeconds: 1, nextTryInMs: 2000 },
      { servers: [{ name: EVENTSTOREDB, url: 'esdb://log.example:2113' }], waitedSeconds: 3, nextTryInMs: 4000 },
    ]);
    expect(waits[0]?.['reason']).to.equal('MongoDB cannot be reached: connection refused');
    expect(lines.at(-1)).to.include({ msg: 'servers available; starting', waitedSeconds: 7 });
    expect(JSON.stringify(lines)).not.to.contain('secret');
  });

  it('ends with any other error, also after it has waited', async () => {
    const wrongKey = new CannotOpen('wrong key');
    const { opening, sleeps } = rig({ ...SERVERS, ROLES: 'worker' }, [away(MONGODB), wrongKey]);
    expect(await opening.catch((err: unknown) => err)).to.equal(wrongKey);
    expect(sleeps).to.deep.equal([1000]);
  });

  it('does not wait where everything is in files', async () => {
    const full = new Unavailable('the disk is full');
    const { opening, sleeps } = rig({}, [full]);
    expect(await opening.catch((err: unknown) => err)).to.equal(full);
    expect(sleeps).to.deep.equal([]);
  });

  it('continues with the port that it answered on', async () => {
    const { opening, lines } = rig({ ...SERVERS, ROLES: 'http' }, [away(MONGODB)]);
    const { config } = await opening;
    const { url } = lines.find((line) => 'url' in line) as unknown as { url: string };
    expect(url).to.equal(`http://127.0.0.1:${config.PORT}`);
  });
});

describe('the address of a server in logs', () => {
  it('has neither credentials nor options, whatever characters they contain', () => {
    for (const [given, shown] of [
      ['mongodb://h1:1,h2:2/db?replicaSet=r', 'mongodb://h1:1,h2:2/db'],
      ['mongodb+srv://u:p@cluster.example/?w=1', 'mongodb+srv://cluster.example/'],
      ['mongodb://u:p@ss?w@rd/x@h:1/db', 'mongodb://h:1/db'],
      ['mongodb://u:p@h:1/db?appName=a', 'mongodb://h:1/db'],
    ] as const)
      expect(serversOf({ EVENTSTORE_URL: undefined, MONGODB_URL: given })).to.deep.equal([
        { name: MONGODB, url: shown },
      ]);
  });
});
