// Runs the event log contract on the embedded log and on the one in memory, and what only the embedded one has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedLog, openEmbeddedLogReader, type OpenLog } from '../../../src/adapters/event-log/embedded/log.js';
import { createMemoryLog } from './memory.js';
import type { Feed } from '../../../src/adapters/event-log/port.js';
import { families } from '../../../src/domain/streams.js';
import { eventLogContract } from '../../contract/event-log.js';
import { alice, all, memoryKeys, noted, notedMany, sampleCodec, textsOf } from '../../contract/event-log-samples.js';

eventLogContract('embedded', async (keys) => {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-log-'));
  const openAgain = () => openEmbeddedLog({ file: join(directory, 'log.sqlite'), codec: sampleCodec(keys) });
  let log = await openAgain();
  return {
    log,
    reopen: async () => {
      await log.close();
      return (log = await openAgain());
    },
    close: async () => {
      await log.close();
      rmSync(directory, { recursive: true });
    },
  };
});

eventLogContract('memory', async (keys) => {
  const log = createMemoryLog({ codec: sampleCodec(keys) });
  return { log, reopen: async () => log, close: async () => undefined };
});

describe('embedded event log', () => {
  const codec = sampleCodec(memoryKeys());
  const signal = new AbortController().signal;
  let directory: string;
  let file: string;
  let log: OpenLog;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'subledger-log-'));
    file = join(directory, 'log.sqlite');
    log = await openEmbeddedLog({ file, codec });
  });
  afterEach(async () => {
    await log.close();
    rmSync(directory, { recursive: true });
  });

  it('is another log when the file is another', async () => {
    const other = await openEmbeddedLog({ file: join(directory, 'other.sqlite'), codec });
    expect(await other.identity()).to.not.equal(await log.identity());
    await other.close();
  });

  it('finishes the appends under way when it is closed', async () => {
    const appended = notedMany(20, 'a').map((event) => log.append(alice, 'any', [event]));
    await Promise.resolve();
    await log.close();
    expect(await Promise.all(appended)).to.have.length(20);
    log = await openEmbeddedLog({ file, codec });
    expect(await all(log.read(alice))).to.have.length(20);
  });

  it('refuses appends after it was closed', async () => {
    await log.close();
    const failed = await log.append(alice, 'any', [noted('a')]).catch((err: Error) => err.name + err.message);
    expect(failed).to.match(/closed/);
  });

  it('ends its followers when it is closed', async () => {
    const feeds = log.follow({ after: 'start', families, max: 10, signal })[Symbol.asyncIterator]();
    await feeds.next();
    const next = feeds.next();
    await log.close();
    expect((await next).done).to.equal(true);
  });

  it('passes a long run of unwanted families in several batches, each further on', async () => {
    for (let i = 0; i < 5; i++) await log.append(alice, 'any', notedMany(5000, `${i}.`));
    const feeds: Feed[] = [];
    for await (const feed of log.follow({ after: 'start', families: ['catalog'], max: 10, signal })) {
      feeds.push(feed);
      if (feed.caughtUp) break;
    }
    expect(feeds.map((feed) => Number(feed.upTo))).to.deep.equal([10_000, 20_000, 25_000]);
  });

  describe('a concurrent reader', () => {
    const now = { codec, sleep: async () => undefined };

    it('sees what was appended, before and after it was opened', async () => {
      await log.append(alice, 'none', [noted('a')]);
      const reader = openEmbeddedLogReader({ file, ...now });
      await log.append(alice, 0, [noted('b')]);
      expect(textsOf(await all(reader.read(alice)))).to.deep.equal(['a', 'b']);
      expect(await reader.identity()).to.equal(await log.identity());
      await reader.close();
    });

    it('follows the log by asking again', async () => {
      const asked: number[] = [];
      const sleep = async (ms: number) => {
        asked.push(ms);
        await log.append(alice, 'any', [noted('a')]);
      };
      const reader = openEmbeddedLogReader({ file, codec, sleep, pollMs: 70 });
      const seen: string[] = [];
      for await (const feed of reader.follow({ after: 'start', families, max: 10, signal })) {
        seen.push(...textsOf(feed.events));
        if (seen.length === 2) break;
      }
      expect(asked).to.deep.equal([70, 70]);
      await reader.close();
    });

    it('cannot append or erase', async () => {
      const reader = openEmbeddedLogReader({ file, ...now });
      const failed = await reader.append(alice, 'any', [noted('a')]).catch((err: Error) => err.message);
      expect(failed).to.match(/reading only/);
      expect(await reader.erase(alice).catch((err: Error) => err.message)).to.match(/reading only/);
      await reader.close();
    });

    it('reads the log also while no server runs', async () => {
      await log.append(alice, 'none', [noted('a')]);
      await log.close();
      const reader = openEmbeddedLogReader({ file, ...now });
      expect(textsOf(await all(reader.read(alice)))).to.deep.equal(['a']);
      await reader.close();
    });
  });
});
