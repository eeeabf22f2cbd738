// A service killed while it sends to a customer's server what happened: each event arrives all the same, in order, and no more often than
// once more for the kill. WEBHOOK_KILL_ROUNDS=<number> plays each moment more often.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { caller, setUpProject, type Call, type Slice } from '../http/support/harness.js';
import { brokenOrder, type ArrivedRequest } from '../workers/webhooks/rig.js';
import { start, type Running } from './process.js';

const ROUNDS = Number(process.env['WEBHOOK_KILL_ROUNDS'] ?? 1);
const USERS = 3;
const GRANTS = 3;

type Moment = 'in the fan-out' | 'before the send' | 'after the send' | 'after the record';
const moments: readonly Moment[] = ['in the fan-out', 'before the send', 'after the send', 'after the record'];

describe('a service killed while it delivers', function () {
  this.timeout(60_000 + ROUNDS * moments.length * 10_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-webhook-kill-'));
  const env = {
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'info',
    RATE_LIMITS: 'off',
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  };
  const arrived: ArrivedRequest[] = [];
  let connections = 0;
  /** True when the service was killed just now, and this connection or request with it. */
  let onConnection = (_count: number): boolean => false;
  let onRequest = (_count: number): boolean => false;
  const receive = (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      const headers = req.headers as Record<string, string>;
      const { event } = JSON.parse(body.toString()) as { event: ArrivedRequest['event'] };
      const one = { delivered: false, url: req.url ?? '', atMs: Date.now(), headers, body, event };
      const count = arrived.push(one);
      if (onRequest(count)) return;
      one.delivered = true;
      // A connection for each request, so that there is a moment between what was claimed and what was sent.
      res.writeHead(204, { connection: 'close' }).end();
    });
  };
  const receiver = createServer(receive).on('connection', (socket) => {
    if (onConnection(++connections)) socket.destroy();
  });
  let running: Running;
  let call: Call;
  let slice: Slice;
  let isDead = false;

  const restart = async () => {
    running = await start(env);
    isDead = false;
    call = caller(() => running.url);
  };
  const kill = (): true => {
    running.child.kill('SIGKILL');
    return (isDead = true);
  };

  before(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    await restart();
    slice = await setUpProject({ call });
  });
  after(async () => {
    await running.kill();
    receiver.closeAllConnections();
    receiver.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: unknown) =>
    call(method, `/v1/projects/${slice.projectId}/webhooks${path}`, body, { key: slice.secretKey });

  type ListedDelivery = { readonly eventId: string; readonly state: string; readonly appUserId: string };
  const listed = async (id: string): Promise<readonly ListedDelivery[]> =>
    (await ask('GET', `/${id}/deliveries?limit=100`)).body.items;

  /** Prepares the death of the service at that moment of its work on one of the first few deliveries. */
  function arm(moment: Moment, round: number): void {
    const nth = 1 + (round % (USERS * GRANTS - 2));
    const isDue = (count: number) => !isDead && count === nth;
    if (moment === 'before the send') onConnection = (count) => isDue(count) && kill();
    if (moment === 'after the send') onRequest = (count) => isDue(count) && kill();
  }

  function disarm(): void {
    onConnection = () => false;
    onRequest = () => false;
  }

  /** Grants that there are; at the moment of the kill one may be that was never answered. */
  const granted = async (user: string): Promise<number> => {
    const path = `/v1/projects/${slice.projectId}/customers/${user}`;
    const { status, body } = await call('GET', path, undefined, { key: slice.secretKey });
    return status === 404 ? 0 : body.promotionalGrants.length;
  };

  /** Returns the number of acknowledged grants by subscriber. */
  async function grantUntilKilled(round: string) {
    const acked = new Map<string, number>();
    const one = async (user: string) => {
      for (let i = 0; i < GRANTS && !isDead; i++) {
        const grant = { entitlementId: 'pro', duration: 'monthly' };
        const response = await call('POST', `/v1/subscribers/${user}/entitlements`, grant, { key: slice.secretKey });
        expect(response.status).to.equal(201);
        acked.set(user, i + 1);
      }
    };
    const users = Array.from({ length: USERS }, (_, u) => `user-${round}-${u}`);
    const ends = await Promise.allSettled(users.map(one));
    // fetch failed: the process is gone.
    for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof TypeError)) throw end.reason;
    return new Map(users.map((user) => [user, acked.get(user) ?? 0]));
  }

  async function dieAfterTheEvents(moment: Moment, round: number, webhookId: string): Promise<void> {
    if (moment === 'in the fan-out') {
      const spun = performance.now() + ((round * 7) % 40);
      while (performance.now() < spun) await new Promise((resolve) => setImmediate(resolve));
    } else if (moment === 'after the record') {
      await until(async () => (await listed(webhookId)).some((d) => d.state === 'delivered'), 'a record');
    } else {
      await until(() => isDead, 'the kill');
    }
    if (!isDead) kill();
    await running.kill();
  }

  for (const moment of moments)
    it(`${moment}, loses nothing, keeps the order and repeats each once at most, over ${ROUNDS} kills`, async () => {
      let repeats = 0;
      for (let round = 0; round < ROUNDS; round++) {
        arrived.splice(0);
        connections = 0;
        const made = await ask('POST', '', { url: urlOf(receiver), eventTypes: ['NON_RENEWING_PURCHASE'] });
        const { id } = made.body;
        arm(moment, round);
        const acked = await grantUntilKilled(`${moments.indexOf(moment)}-${round}`);
        await dieAfterTheEvents(moment, round, id);
        disarm();
        await restart();
        let all: readonly ListedDelivery[] = [];
        for (const [user, count] of acked) {
          const there = await granted(user);
          expect(there, user).to.be.at.least(count);
          await until(async () => {
            all = (await listed(id)).filter((d) => d.appUserId === user);
            return all.length >= there && all.every((d) => d.state === 'delivered');
          }, `the ${there} deliveries about ${user}`);
          const delivered = arrived.filter((a) => a.delivered && a.event.appUserId === user).map((a) => a.event.id);
          expect(new Set(delivered).size, user).to.equal(there);
          for (const { eventId } of all)
            expect(arrived.filter((a) => a.event.id === eventId).length, eventId).to.be.within(1, 2);
        }
        expect(brokenOrder(arrived)).to.deep.equal([]);
        repeats += arrived.length - new Set(arrived.map((a) => a.event.id)).size;
        await ask('DELETE', `/${id}`);
      }
      // Two are under way to an endpoint at most.
      expect(repeats).to.be.at.most(2 * ROUNDS);
      if (process.env['WEBHOOK_KILL_ROUNDS']) console.log(`      ${repeats} repeats over ${ROUNDS} kills`);
    });
});

function urlOf(server: ReturnType<typeof createServer>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** Asks until it is so; what is not so after a minute never will be. */
async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    if (await isSo()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`waited in vain for ${what}`);
}
