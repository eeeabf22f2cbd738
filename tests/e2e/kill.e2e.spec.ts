// A process killed at any moment under load: whatever it had answered with success is there after the restart, once.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { caller, setUpProject, type Call, type Slice } from '../http/support/harness.js';
import { run, start, type Running } from './process.js';
import { signPurchases, type SignedPurchases } from './signed-purchases.js';
import { poll } from '../fixtures/poll.js';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 8);
const WORKERS = 16;
/** Acknowledgements after which the process is killed: another moment each round. */
const killAfter = (round: number) => 10 + ((round * 37) % 60);

type AcknowledgedWrites = {
  readonly transactions: string[];
  readonly attributes: { readonly user: string; readonly key: string; readonly value: string }[];
  readonly grants: { readonly user: string; readonly id: string }[];
};

describe('a service killed under load', function () {
  this.timeout(400_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-kill-'));
  const env = {
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'info',
    RATE_LIMITS: 'off',
    DRAIN_SECONDS: '0',
    IOS_STORE_ROOT_CERTIFICATES: join(directory, 'root.pem'),
  };
  let running: Running;
  let call: Call;
  let slice: Slice;
  let purchases: SignedPurchases;

  const restart = async () => {
    running = await start(env);
    call = caller(() => running.url);
  };

  before(async () => {
    purchases = await signPurchases();
    writeFileSync(env.IOS_STORE_ROOT_CERTIFICATES, purchases.rootPem);
    await restart();
    slice = await setUpProject({ call });
  });
  after(async () => {
    await running.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const subscribed = (transactionId: string) => {
    return purchases.notification(transactionId);
  };

  /** Loads the service until it is killed; returns what it had answered with success and the notifications it had not. */
  async function loadUntilKilled(round: number): Promise<{ acked: AcknowledgedWrites; unanswered: object[] }> {
    const acked: AcknowledgedWrites = { transactions: [], attributes: [], grants: [] };
    const unanswered: object[] = [];
    const as = { key: slice.secretKey };
    let responses = 0;
    let isDead = false;
    const count = () => {
      if (++responses !== killAfter(round)) return;
      isDead = true;
      running.child.kill('SIGKILL');
    };
    const one = async (id: string, turn: number): Promise<void> => {
      const user = `user-${id}`;
      if (turn % 3 === 0) {
        const body = subscribed(`9${id.replaceAll('-', '0')}`);
        unanswered.push(body);
        const response = await call('POST', slice.notificationPath, body);
        expect(response.status).to.equal(200);
        unanswered.splice(unanswered.indexOf(body), 1);
        acked.transactions.push(`9${id.replaceAll('-', '0')}`);
      } else if (turn % 3 === 1) {
        const attributes = { color: `c-${id}` };
        const response = await call('POST', `/v1/subscribers/${user}/attributes`, { attributes }, as);
        expect(response.status).to.equal(200);
        acked.attributes.push({ user, key: 'color', value: `c-${id}` });
      } else {
        const grant = { entitlementId: 'pro', duration: 'monthly' };
        const response = await call('POST', `/v1/subscribers/${user}/entitlements`, grant, as);
        expect(response.status).to.equal(201);
        acked.grants.push({ user, id: response.body.grant.id });
      }
      count();
    };
    const worker = async (w: number): Promise<void> => {
      for (let turn = 0; !isDead; turn++) {
        try {
          await one(`${round}-${w}-${turn}`, turn + w);
        } catch (err) {
          if (!(err instanceof TypeError)) throw err;
          // fetch failed: the process is gone.
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, w) => worker(w)));
    await running.kill();
    return { acked, unanswered };
  }

  async function verify({ transactions, attributes, grants }: AcknowledgedWrites): Promise<void> {
    const as = { key: slice.secretKey };
    const base = `/v1/projects/${slice.projectId}/customers`;
    const verifyTransaction = async (id: string) => {
      const ask = async (): Promise<{ id: string }[]> =>
        (await call('GET', `${base}?search=${id}`, undefined, as)).body.items;
      const found = await poll(ask, (all) => all.length > 0);
      expect(found, `transaction ${id}`).to.have.length(1);
      const { body } = await call('GET', `${base}/${found[0]?.id}`, undefined, as);
      const ids = body.subscriptions.flatMap((s: { transactions: { id: string }[] }) =>
        s.transactions.map((t) => t.id),
      );
      expect(ids).to.deep.equal([id]);
      expect(body.totalSpentUsd).to.equal(9.99);
    };
    const verifyAttribute = async ({ user, key, value }: AcknowledgedWrites['attributes'][number]) => {
      const { body } = await call('GET', `/v1/subscribers/${user}`, undefined, as);
      expect(body.subscriber.attributes[key]?.value, user).to.equal(value);
    };
    const verifyGrant = async ({ user, id }: AcknowledgedWrites['grants'][number]) => {
      const { body } = await call('GET', `${base}/${user}`, undefined, as);
      expect(body.promotionalGrants.map((g: { id: string }) => g.id)).to.deep.equal([id]);
    };
    await Promise.all([
      ...transactions.map(verifyTransaction),
      ...attributes.map(verifyAttribute),
      ...grants.map(verifyGrant),
    ]);
  }

  it(`keeps every acknowledged event, once, over ${ROUNDS} kills`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { acked, unanswered } = await loadUntilKilled(round);
      await restart();
      for (const body of unanswered) expect((await call('POST', slice.notificationPath, body)).status).to.equal(200);
      await verify(acked);
    }
  });

  it('refuses a second process on the same data directory and names the first', async () => {
    const second = await run(['serve'], env);
    expect(second.code).to.equal(1);
    expect(second.output).to.match(/DATA_DIR .* is in use by another Subledger process \(process \d+\)/);
  });

  it('finishes what is under way at SIGTERM, and ends with 0', async () => {
    const responses = Array.from({ length: 20 }, (_, i) =>
      call('POST', slice.notificationPath, subscribed(`7000${i}`)),
    );
    const ended = new Promise<number | null>((resolve) => running.child.once('exit', (code) => resolve(code)));
    const statuses = (await Promise.all(responses)).map((a) => a.status);
    running.child.kill('SIGTERM');
    expect(await ended).to.equal(0);
    expect(statuses.every((s) => s === 200)).to.equal(true);
    await restart();
    await verify({ transactions: Array.from({ length: 20 }, (_, i) => `7000${i}`), attributes: [], grants: [] });
  });
});
