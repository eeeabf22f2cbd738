// Durability of the embedded log: what was acknowledged survives a SIGKILL under load.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedLog } from '../../../src/adapters/event-log/embedded/log.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { families } from '../../../src/domain/streams.js';
import { memoryKeys, sampleCodec } from '../../contract/event-log-samples.js';
import { startChild } from '../child.js';

const ROUNDS = 4;
const ACKNOWLEDGED_BEFORE_KILL = 1500;

describe('embedded event log after kill -9 under load', () => {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-crash-'));
  const file = join(directory, 'log.sqlite');
  const acknowledged = new Map<string, string>();
  after(() => rmSync(directory, { recursive: true }));

  for (let round = 0; round < ROUNDS; round++) {
    it(`has every acknowledged event exactly once and no gap in a stream (${round + 1} of ${ROUNDS})`, async () => {
      const child = startChild('./event-log/appender.ts', file, String(round));
      const enough = acknowledged.size + ACKNOWLEDGED_BEFORE_KILL + round * 311;
      for (let line = await child.line(); line !== undefined; line = await child.line()) {
        const [id = '', place = ''] = line.split('@');
        acknowledged.set(id, place);
        if (acknowledged.size === enough) await child.kill();
      }
      expect(acknowledged.size).to.be.at.least(enough);

      const events = await everything();
      const stored = new Map(events.map((event) => [event.id, `${event.stream} ${event.revision}`]));
      expect(stored.size).to.equal(events.length);
      for (const [id, place] of acknowledged) expect(stored.get(id), id).to.equal(place);
      expectNoGaps(events);
    });
  }

  async function everything(): Promise<RecordedEvent[]> {
    const log = await openEmbeddedLog({ file, codec: sampleCodec(memoryKeys()) });
    const events: RecordedEvent[] = [];
    const { signal } = new AbortController();
    for await (const feed of log.follow({ after: 'start', families, max: 500, signal })) {
      events.push(...feed.events);
      if (feed.caughtUp) break;
    }
    await log.close();
    return events;
  }
});

function expectNoGaps(events: readonly RecordedEvent[]): void {
  const next = new Map<string, number>();
  for (const { stream, revision } of events) {
    expect(revision, stream).to.equal(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
  }
}
