// Copies that several processes ask for, make and read: whichever of them ends, the next goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryDocuments } from '../../../src/adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { replaysInDocuments, sharedReplayCollections } from '../../../src/adapters/replays/documents.js';
import { replayMakingInDocuments } from '../../../src/adapters/replays/making-in-documents.js';
import type { Replays } from '../../../src/adapters/replays/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { keyedHash } from '../../../src/domain/ids.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { createNamedCopies } from '../../../src/projections/build/named-copies.js';
import { CHARTED_PROJECT, historiesLog } from '../../../bench/chart-histories.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T00:00:00Z');
const asked = { projectId: CHARTED_PROJECT, name: 'small', until: null, whatIf: { commission: 0.15 } };

describe('named copies of several processes', () => {
  const root = mkdtempSync(join(tmpdir(), 'subledger-copies-'));
  const open: Replays[] = [];
  after(async () => {
    for (const replays of open) await replays.close();
    rmSync(root, { recursive: true, force: true });
  });

  const log = historiesLog(200, NOW - 700 * DAY_MS, NOW);
  const documents = async () => {
    const docs = memoryDocuments();
    await docs.ensure(sharedReplayCollections);
    return docs;
  };
  /** Waits for nothing: each wait is one turn. */
  const runtime = { ...systemRuntime(() => NOW), sleep: () => systemRuntime().turn() };
  const start = (docs: DocStore, ofProcess: EventLog = log) => {
    const shared = { docs, runtime, dataDir: mkdtempSync(join(root, 'process-')) };
    const [replays, making] = [replaysInDocuments(shared), replayMakingInDocuments(shared)];
    open.push(replays);
    const failures: unknown[] = [];
    const hash = keyedHash(Buffer.alloc(32));
    const onFailure = (_name: string | null, err: unknown) => void failures.push(err);
    const parts = { runtime, replays, making, hash, fingerprint: () => 'same', isShared: true, onFailure };
    return { ...createNamedCopies({ ...parts, log: ofProcess }), replays, failures };
  };
  type Process = ReturnType<typeof start>;
  const stateIn = async (one: Process) => (await one.list(CHARTED_PROJECT))[0]?.state;
  const untilIn = async (one: Process, state: string) => {
    while ((await stateIn(one)) !== state) await runtime.sleep();
  };
  /** Of which the service has read so many pages when it happens. */
  const logWhich = (page: number, happen: () => void): EventLog => ({
    ...log,
    follow: async function* (o) {
      let read = 0;
      for await (const one of log.follow(o)) {
        if (++read === page) happen();
        yield one;
      }
    },
  });

  it('are asked for in one, made by another, and read by all', async () => {
    const docs = await documents();
    const [front, maker] = [start(docs), start(docs)];
    expect(await front.ask(asked)).to.include({ name: 'small', state: 'waiting', progress: 0 });
    expect(await maker.ask(asked)).to.equal('taken');
    const stopping = new AbortController();
    const running = maker.run(stopping.signal);
    await untilIn(front, 'ready');
    stopping.abort();
    await running;
    const [copy] = await front.list(CHARTED_PROJECT);
    expect(copy).to.include({ state: 'ready', progress: 1, events: Number(await log.head()) });
    for (const one of [front, maker]) {
      const found = await one.replays.open(CHARTED_PROJECT, 'small');
      expect(found?.info.whatIf).to.deep.equal({ commission: 0.15 });
    }
    expect(maker.failures).to.deep.equal([]);
    expect(await front.remove(CHARTED_PROJECT, 'small')).to.equal('removed');
    expect(await maker.list(CHARTED_PROJECT)).to.deep.equal([]);
    expect(await maker.remove(CHARTED_PROJECT, 'small')).to.equal('unknown');
  });

  it('are gone on with by another process when the one that makes them stops', async () => {
    const docs = await documents();
    const stopping = new AbortController();
    const stopped = start(
      docs,
      logWhich(1, () => stopping.abort()),
    );
    await stopped.ask(asked);
    await stopped.run(stopping.signal);
    expect(await stateIn(stopped)).to.equal('waiting');
    const ending = new AbortController();
    const next = start(docs);
    const running = next.run(ending.signal);
    await untilIn(stopped, 'ready');
    ending.abort();
    await running;
    expect([stopped.failures, next.failures]).to.deep.equal([[], []]);
  });

  it('wait while what they are made from is away', async () => {
    const docs = await documents();
    let isAway = true;
    const one = start(
      docs,
      logWhich(1, () => {
        const wasAway = isAway;
        isAway = false;
        if (wasAway) throw new Unavailable('the log is away');
      }),
    );
    await one.ask(asked);
    const ending = new AbortController();
    const running = one.run(ending.signal);
    await untilIn(one, 'ready');
    ending.abort();
    await running;
    expect(one.failures).to.deep.equal([]);
  });
});
