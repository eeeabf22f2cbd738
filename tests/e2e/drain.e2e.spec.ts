// A process that gets a signal to stop while a balancer still sends to it: it reports not ready first, and loses nothing sent before.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { start, type Running } from './process.js';
import { poll } from '../fixtures/poll.js';

const CLIENTS = 8;

describe('a service that gets SIGTERM under load', function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-drain-'));
  const env = { DATA_DIR: join(directory, 'data'), PORT: '0', LOG_LEVEL: 'info', DRAIN_SECONDS: '3' };
  let running: Running;
  beforeEach(async () => {
    running = await start(env);
  });
  afterEach(() => running.kill());
  after(() => rmSync(directory, { recursive: true, force: true }));

  const status = (path: string, agent?: Agent): Promise<number> =>
    new Promise((resolve, reject) => {
      get(`${running.url}${path}`, { agent }, (res) => {
        res.resume().once('end', () => resolve(res.statusCode ?? 0));
      }).once('error', reject);
    });

  it('answers every request that was sent before readiness changed, on kept and on new connections', async () => {
    const ended = new Promise<number | null>((resolve) => running.child.once('exit', resolve));
    const outcomes: Promise<number>[] = [];
    const first = status('/readyz');
    expect(await first).to.equal(200);
    let isReady = true;
    const agents = [new Agent({ keepAlive: true, maxSockets: CLIENTS }), undefined];
    const client = async (agent: Agent | undefined): Promise<void> => {
      while (isReady) {
        const asked = status('/v1/projects', agent);
        outcomes.push(asked);
        await asked.catch(() => undefined);
      }
    };
    const balancer = async (): Promise<void> => {
      while (isReady) isReady = (await status('/readyz')) === 200;
    };
    const clients = Array.from({ length: CLIENTS }, (_, i) => client(agents[i % 2]));
    running.child.kill('SIGTERM');
    await Promise.all([balancer(), ...clients]);
    const responses = await Promise.allSettled(outcomes);
    expect(responses.filter(({ status }) => status === 'rejected')).to.deep.equal([]);
    expect(responses.length).to.be.greaterThan(0);
    expect(await ended).to.equal(0);
  });

  it('does not wait for a balancer at Ctrl-C, nor at a second SIGTERM', async () => {
    const ended = new Promise<number | null>((resolve) => running.child.once('exit', resolve));
    running.child.kill('SIGINT');
    expect(await ended).to.equal(0);
    expect(running.output()).to.include('"drainMs":0');
    running = await start({ ...env, DRAIN_SECONDS: '300' });
    const endedTwice = new Promise<number | null>((resolve) => running.child.once('exit', resolve));
    running.child.kill('SIGTERM');
    await poll(
      () => status('/readyz'),
      (code) => code !== 200,
    );
    running.child.kill('SIGTERM');
    expect(await endedTwice).to.equal(0);
  });
});
