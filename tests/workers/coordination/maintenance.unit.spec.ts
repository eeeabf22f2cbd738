// Sessions that have ended leave no records; those that have not are used on.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { openSession, purgeEndedSessions, sessionCollections } from '../../../src/commands/accounts/session-records.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { fakeRuntime } from '../../commands/support/memory-deps.js';

const DAY_MS = 86_400_000;

describe('records of sessions', () => {
  it('go when no token of them may be used any more', async () => {
    const { runtime, clock } = fakeRuntime();
    const docs = createMemoryDocuments();
    await docs.ensure(sessionCollections);
    const open = async (userId: string) => {
      const { writes } = openSession(runtime, 30 * 86_400, { userId, emailKey: userId, tokenVersion: 1 });
      await docs.write([writes]);
    };
    const users = async () =>
      (await docs.scan('sessions', { index: 'id', eq: [], limit: 9 })).rows.map((r) => r.doc['userId']);
    const tokens = async () => (await docs.scan('refresh_tokens', { index: 'id', eq: [], limit: 9 })).rows.length;
    const purge = () => purgeEndedSessions(docs, clock.iso(), new AbortController().signal);
    await open('old');
    clock.set(isoFromMs(runtime.now() + 60 * DAY_MS));
    await open('new');
    expect([await purge(), await tokens()]).to.deep.equal([0, 2]);
    clock.set(isoFromMs(runtime.now() + 31 * DAY_MS));
    expect(await purge()).to.equal(2);
    expect([await users(), await tokens()]).to.deep.equal([['new'], 1]);
    expect(await purge()).to.equal(0);
  });
});
