// One request sent many times, also when the process dies before its response is kept: one effect, one response, the same secrets in it.
import { expect } from 'chai';
import { stub } from 'sinon';
import { isApiKey, sha256Of } from '../../../src/commands/accounts/api-key.js';
import {
  createIdempotency,
  type FirstAttempt,
  type RepeatableParts,
  type StoredResponse,
  type IdempotentRequest,
} from '../../../src/commands/idempotency/idempotency.js';
import { createApiKey, createProject } from '../../../src/commands/projects/projects.js';
import { recordCustomEvents } from '../../../src/commands/subscribers/activity.js';
import { Rejection } from '../../../src/domain/errors.js';
import { streams } from '../../../src/domain/streams.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf, memoryDeps } from '../support/memory-deps.js';

const settings = { transferBehavior: 'transfer', sandboxAccess: 'anybody', displayCurrency: 'USD' } as const;
const asked: IdempotentRequest = { name: ['usr_1', '', 'key'], fingerprint: 'f', subject: 'usr_1', requestId: 'req_1' };
const actor = { kind: 'user', id: 'usr_1' } as const;

async function open() {
  let log: CrashingLog | undefined;
  const { deps, clock } = await memoryDeps((inner) => (log = crashingLog(inner)));
  const start = () => createIdempotency(deps);
  const makeProject = async ({ requestId }: FirstAttempt, { runtime }: RepeatableParts): Promise<StoredResponse> => {
    const o = { name: 'Example', ownerId: 'usr_1', ...settings };
    const { projectId, position } = await createProject({ ...deps, runtime }, { actor, requestId }, o);
    return { status: 201, body: { id: projectId }, position };
  };
  if (!log) throw new Error('the log was not wrapped');
  return { deps, clock, log, start, makeProject };
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((err: unknown) => err);

describe('a request with an idempotency key', () => {
  it('is done once and answered alike', async () => {
    const { deps, start, makeProject } = await open();
    const idempotency = start();
    const first = await idempotency.once(asked, makeProject);
    const again = await idempotency.once({ ...asked, requestId: 'req_2' }, makeProject);
    expect(again).to.deep.equal({ ...first, isRepeat: true });
    expect(await eventsOf(deps.log)).to.have.length(1);
  });

  it('is done once by many at the same time, in one process or several', async () => {
    const { deps, start, makeProject } = await open();
    const [one, another] = [start(), start()];
    const ask = async (i: number) => {
      const { body } = await (i % 2 === 0 ? one : another).once({ ...asked, requestId: `req_${i}` }, makeProject);
      return body;
    };
    const responses = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)));
    expect(new Set(responses.map((a) => JSON.stringify(a))).size).to.equal(1);
    expect(await eventsOf(deps.log)).to.have.length(1);
  });

  it('has the collections of a new day made once for all who come first, and again when that failed', async () => {
    const { deps } = await open();
    const { docs } = deps;
    const ensure = stub().callsFake(docs.ensure).onFirstCall().rejects(new Error('away'));
    const idempotency = createIdempotency({ ...deps, docs: { ...docs, ensure } });
    const answer = (): Promise<StoredResponse> => Promise.resolve({ status: 200, body: {}, position: null });
    const ask = (i: number) => idempotency.once({ ...asked, name: ['usr_1', '', `key-${i}`] }, answer);
    const failed = await Promise.all([1, 2, 3].map((i) => failure(ask(i))));
    expect(failed.map(String)).to.deep.equal(Array.from({ length: 3 }, () => 'Error: away'));
    await Promise.all([4, 5, 6].map(ask));
    expect(ensure.callCount).to.equal(2);
  });

  for (const moment of ['before', 'after'] as const) {
    it(`is done once when the process dies ${moment} the append`, async () => {
      const { deps, log, start, makeProject } = await open();
      log.failAt(1, moment);
      expect(await failure(start().once(asked, makeProject))).to.be.an('error');
      const response = await start().once({ ...asked, requestId: 'req_2' }, makeProject);
      const events = await eventsOf(deps.log);
      expect(events.map((e) => e.meta.commandId)).to.deep.equal(['req_1']);
      expect(response).to.deep.include({
        status: 201,
        body: { id: (events[0]?.data as { projectId: string }).projectId },
      });
    });
  }

  it('answers after a crash with the secret that is in the log', async () => {
    const { deps, log, start, makeProject } = await open();
    const { body } = await start().once(asked, makeProject);
    const projectId = (body as { id: string }).id;
    const makeKey = async ({ requestId }: FirstAttempt, { runtime }: RepeatableParts): Promise<StoredResponse> => {
      const o = { name: 'server', kind: 'secret', appId: null, scopes: [], expiresAt: null } as const;
      const { key, position } = await createApiKey({ ...deps, runtime }, { actor, requestId }, projectId, o);
      return { status: 201, body: { key }, position };
    };
    const forKey = { ...asked, name: ['usr_1', projectId, 'another'], subject: projectId, requestId: 'req_9' };
    log.failAt(1, 'after');
    expect(await failure(start().once(forKey, makeKey))).to.be.an('error');
    const { key } = (await start().once(forKey, makeKey)).body as { key: string };
    const made = (await eventsOf(deps.log)).filter((e) => e.type === 'ApiKeyCreated');
    expect(made.map((e) => (e.data as { sha256: string }).sha256)).to.deep.equal([sha256Of(key)]);
    expect(isApiKey(key)).to.equal(true);
  });

  it('records an event in the month that it was first sent in, when its repeat comes in the next', async () => {
    const { deps, clock, log, start } = await open();
    const who = { customerId: 'cus_1', person: ['cus_1'] as const };
    const event = { ...who, name: 'opened', properties: {}, occurredAt: null, eventId: null };
    const record = async (first: FirstAttempt, { runtime }: RepeatableParts): Promise<StoredResponse> => {
      const by = { actor, ...first };
      const { position, ...body } = await recordCustomEvents({ ...deps, runtime }, by, 'proj_1', [event]);
      return { status: 201, body, position };
    };
    clock.set('2026-11-30T23:59:59.000Z');
    log.failAt(1, 'after');
    expect(await failure(start().once(asked, record))).to.be.an('error');
    clock.set('2026-12-01T00:00:01.000Z');
    const { body } = await start().once({ ...asked, requestId: 'req_2' }, record);
    expect(body).to.deep.equal({ accepted: 1, duplicates: 0 });
    const events = await eventsOf(deps.log);
    expect(events.map(({ type, meta }) => [type, meta.at])).to.deep.equal([
      ['CustomEventRecorded', '2026-11-30T23:59:59.000Z'],
    ]);
  });

  it('is refused under the key of another request', async () => {
    const { start, makeProject } = await open();
    await start().once(asked, makeProject);
    const err = await failure(start().once({ ...asked, fingerprint: 'g' }, makeProject));
    expect(err).to.be.instanceOf(Rejection).with.property('kind', 'conflict');
  });

  it('can be sent again after a rejection, and is then decided again', async () => {
    const { start, makeProject } = await open();
    const refuse = () => Promise.reject(new Rejection('conflict', 'x', 'not now'));
    expect(await failure(start().once(asked, refuse))).to.be.instanceOf(Rejection);
    expect(await start().once(asked, makeProject)).to.include({ status: 201, isRepeat: false });
  });

  it('shares its key with no other caller', async () => {
    const { deps, start, makeProject } = await open();
    await start().once(asked, makeProject);
    await start().once({ ...asked, name: ['usr_2', '', 'key'] }, makeProject);
    expect(await eventsOf(deps.log)).to.have.length(2);
  });

  it('is remembered over midnight, for 24 hours and no longer', async () => {
    const { deps, clock, start, makeProject } = await open();
    const idempotency = start();
    clock.set('2026-11-20T23:59:00.000Z');
    const { body } = await idempotency.once(asked, makeProject);
    clock.set('2026-11-21T23:58:59.000Z');
    expect(await idempotency.once(asked, makeProject)).to.deep.include({ body, isRepeat: true });
    clock.set('2026-11-21T23:59:01.000Z');
    const anew = await idempotency.once({ ...asked, requestId: 'req_2' }, makeProject);
    expect(anew.isRepeat).to.equal(false);
    expect(await eventsOf(deps.log)).to.have.length(2);
  });

  it('leaves nothing two days later', async () => {
    const { deps, clock, start, makeProject } = await open();
    const idempotency = start();
    await idempotency.once(asked, makeProject);
    clock.set('2026-11-23T10:00:00.000Z');
    await idempotency.once({ ...asked, name: ['usr_1', '', 'other'] }, makeProject);
    await deps.docs.ensure([{ name: 'idempotency_2026-11-20', indexes: [] }]);
    const left = await deps.docs.scan('idempotency_2026-11-20', { index: 'id', eq: [], limit: 10 });
    expect(left.rows).to.deep.equal([]);
  });

  it('keeps its response sealed', async () => {
    const { deps, start, makeProject } = await open();
    const { body } = await start().once(asked, makeProject);
    const { rows } = await deps.docs.scan('idempotency_2026-11-20', { index: 'id', eq: [], limit: 10 });
    expect(JSON.stringify(rows)).not.to.include((body as { id: string }).id);
    expect(rows).to.have.length(1);
  });

  for (const erased of ['cus_asked', 'cus_a', 'cus_b']) {
    it(`is neither answered nor done again once ${erased}, of the request or its response, was erased`, async () => {
      const { deps, start } = await open();
      let runs = 0;
      const about: IdempotentRequest = { ...asked, subject: 'cus_asked' };
      const run = async (_first: FirstAttempt, { log }: RepeatableParts) => {
        for await (const event of log.read(streams.subscriber('proj_1', 'cus_a'))) expect.fail(event.id);
        return { status: 200, body: { runs: ++runs }, position: null, customers: ['cus_b'] };
      };
      await start().once(about, run);
      expect(await start().once(about, run)).to.deep.include({ body: { runs: 1 }, isRepeat: true });
      const guard = await deps.dataKeys.rotate(erased);
      await deps.dataKeys.erase(erased, guard ?? '');
      const err = await failure(start().once(about, run));
      expect(err).to.be.instanceOf(Rejection).with.property('code', 'idempotency-customer-erased');
      expect(runs).to.equal(1);
    });
  }

  it('is known by the fingerprint of an earlier version too', async () => {
    const { start, makeProject } = await open();
    const { body } = await start().once({ ...asked, fingerprint: 'former' }, makeProject);
    const now = { ...asked, formerFingerprint: () => 'former' };
    expect(await start().once(now, makeProject)).to.deep.include({ body, isRepeat: true });
  });
});
