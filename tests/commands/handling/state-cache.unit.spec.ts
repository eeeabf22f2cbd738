// Cached states are the log's, never older, and no more of them are kept than was asked.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { runCommand } from '../../../src/commands/handling/run-command.js';
import { createStateCache } from '../../../src/commands/handling/state-cache.js';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import type { Revision } from '../../../src/domain/envelope.js';
import { streams } from '../../../src/domain/streams.js';
import { memoryDeps } from '../support/memory-deps.js';

async function rigged(max?: number) {
  const reads: (Revision | undefined)[] = [];
  const watched = (log: EventLog): EventLog => ({
    ...log,
    read: (stream, after) => {
      reads.push(after);
      return log.read(stream, after);
    },
  });
  const { deps } = await memoryDeps(watched);
  const cache = createStateCache(deps.log, catalogDecider, max);
  const add = async (projectId: string, lookupKey: string) => {
    const entitlement = { entitlementId: `ent_${lookupKey}`, lookupKey, displayName: lookupKey, description: null };
    const ctx = { commandId: lookupKey, correlationId: 'req', actor: { kind: 'user', id: 'user_1' } as const };
    const command = { kind: 'createEntitlement', entitlement } as const;
    await runCommand(deps, streams.catalog(projectId), catalogDecider, [command], ctx);
    reads.length = 0;
  };
  const keys = async (projectId: string) =>
    (await cache.get(streams.catalog(projectId))).entitlements.map((e) => e.lookupKey);
  return { add, keys, reads };
}

describe('state cache', () => {
  it('has the beginning of a stream that is not there', async () => {
    const { keys } = await rigged();
    expect(await keys('proj_1')).to.deep.equal([]);
  });

  it('reads only what the log has after the last look', async () => {
    const { add, keys, reads } = await rigged();
    await add('proj_1', 'pro');
    expect([await keys('proj_1'), await keys('proj_1')]).to.deep.equal([['pro'], ['pro']]);
    expect(reads).to.deep.equal([undefined, 0]);
  });

  it('shows what was appended since', async () => {
    const { add, keys } = await rigged();
    await add('proj_1', 'pro');
    await keys('proj_1');
    await add('proj_1', 'plus');
    expect(await keys('proj_1')).to.deep.equal(['pro', 'plus']);
  });

  it('gives two who look at once the same', async () => {
    const { add, keys } = await rigged();
    await add('proj_1', 'pro');
    expect(await Promise.all([keys('proj_1'), keys('proj_1')])).to.deep.equal([['pro'], ['pro']]);
    await add('proj_1', 'plus');
    expect(await Promise.all([keys('proj_1'), keys('proj_1')])).to.deep.equal(Array(2).fill(['pro', 'plus']));
    expect(await keys('proj_1')).to.deep.equal(['pro', 'plus']);
  });

  it('forgets what was not used for longest', async () => {
    const { add, keys, reads } = await rigged(2);
    for (const id of ['proj_1', 'proj_2', 'proj_3']) await add(id, 'pro');
    for (const id of ['proj_1', 'proj_2', 'proj_1', 'proj_3', 'proj_1', 'proj_2']) await keys(id);
    expect(reads).to.deep.equal([undefined, undefined, 0, undefined, 0, undefined]);
  });
});

describe('a command on a cached state', () => {
  it('costs the same however long the stream is', async () => {
    const { deps } = await memoryDeps();
    const read: number[] = [];
    const counted: EventLog = {
      ...deps.log,
      read: async function* (stream, after) {
        let count = 0;
        for await (const event of deps.log.read(stream, after)) {
          count++;
          yield event;
        }
        read.push(count);
      },
    };
    const cache = createStateCache(counted, catalogDecider);
    const create = (i: number, commandId = `req_${i}`) => {
      const lookupKey = `e${i}`;
      const entitlement = { entitlementId: `ent_${i}`, lookupKey, displayName: 'E', description: null };
      const ctx = { commandId, correlationId: 'req', actor: { kind: 'user', id: 'user_1' } as const };
      const command = { kind: 'createEntitlement', entitlement } as const;
      return runCommand(deps, streams.catalog('proj_1'), catalogDecider, [command], ctx, cache.load);
    };
    for (let i = 0; i < 200; i++) await create(i);
    expect(Math.max(...read)).to.equal(1);
    const first = await create(300, 'req_same');
    expect((await create(301, 'req_same')).eventIds, 'a repeat').to.deep.equal(first.eventIds);
    expect((await cache.get(streams.catalog('proj_1'))).entitlements).to.have.length(201);
  });
});
