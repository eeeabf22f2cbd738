// An import that is cut anywhere and run again ends like one that was not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryDocuments } from '../../src/adapters/documents/memory.js';
import { createMemoryLog } from '../../src/adapters/event-log/memory.js';
import { logPosition } from '../../src/adapters/event-log/placed-event.js';
import { Unavailable, type EventLog } from '../../src/adapters/event-log/port.js';
import { rawCodec } from '../../src/adapters/event-log/raw-codec.js';
import { deliveryCollection } from '../../src/commands/deliveries.js';
import { streams } from '../../src/domain/streams.js';
import { writeDump, type DumpLine } from '../../src/cli/dump-file.js';
import { importInto } from '../../src/cli/import.js';
import { eventsOf, movedCollections } from '../../src/cli/moving.js';
import { cursorCollection } from '../../src/workers/reaction.js';
import { noted } from '../contract/event-log-samples.js';

const CUSTOMERS = 40;
const CURSOR_AT = 57;
const fields = deliveryCollection.indexes.flatMap((index) => index.fields);
const pending = {
  ...Object.fromEntries(fields.map((field) => [field, `some ${field}`])),
  state: 'pending',
  failures: 1,
};

describe('an import that was cut', () => {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-import-'));
  const file = join(directory, 'dump.gz');
  after(() => rmSync(directory, { recursive: true, force: true }));

  const past = async (): Promise<EventLog> => {
    const log = createMemoryLog({ codec: rawCodec });
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < CUSTOMERS; i++) {
        const event = { ...noted(`${round}-${i}`), v: 1 };
        await log.append(streams.subscriber('proj_1', `cus_${i}`), 'any', [event]);
      }
    }
    return log;
  };
  before(async () => {
    const log = await past();
    const record = (c: string, id: string, doc: object) => ({ c, id, guard: '1', doc: { ...doc } });
    async function* lines(): AsyncGenerator<DumpLine> {
      yield { kind: 'record', record: record(cursorCollection.name, 'fanout', { position: logPosition(CURSOR_AT) }) };
      yield { kind: 'record', record: record(deliveryCollection.name, 'whd_1', pending) };
      for await (const event of eventsOf(log)) yield { kind: 'event', event };
    }
    await writeDump(file, 'old', lines());
  });

  const newHouse = async () => {
    const docs = memoryDocuments();
    await docs.ensure(movedCollections);
    const log = createMemoryLog({ codec: rawCodec, identity: 'new' });
    // Places are others there.
    await log.append(streams.catalog('proj_0'), 'any', [{ ...noted('before'), v: 1 } as never]);
    await log.erase(streams.catalog('proj_0'));
    return { docs, log };
  };
  const cutAfter = (log: EventLog, appends: number): EventLog => {
    let left = appends;
    return {
      ...log,
      append: async (...asked) => {
        if (left-- > 0) return log.append(...asked);
        throw new Unavailable('cut off');
      },
    };
  };
  const shown = async ({ log, docs }: Awaited<ReturnType<typeof newHouse>>) => {
    const events = [];
    for await (const { position, ...event } of eventsOf(log)) events.push(event);
    const held = async (c: string, id: string) => (await docs.get(c, [id])).get(id)?.doc;
    return {
      events,
      cursor: await held(cursorCollection.name, 'fanout'),
      delivery: await held(deliveryCollection.name, 'whd_1'),
    };
  };

  for (const appends of [0, 1, 30, 119]) {
    it(`after ${appends} appends, and run again, is like one that was not`, async () => {
      const [whole, cut] = [await newHouse(), await newHouse()];
      const counts = await importInto(whole, file);
      const failed = await importInto({ ...cut, log: cutAfter(cut.log, appends) }, file).catch(
        (err: Error) => err.message,
      );
      expect(failed).to.match(/cut off; run the import again/);
      expect((await shown(cut)).cursor, 'a cursor before its log').to.equal(undefined);
      expect(await importInto(cut, file)).to.deep.equal(counts);
      expect(await shown(cut)).to.deep.equal(await shown(whole));
      expect((await shown(cut)).events).to.have.length(3 * CUSTOMERS);
    });
  }

  it('has the fan-out go on behind the event it had done last, and what was pending pending', async () => {
    const house = await newHouse();
    await importInto(house, file);
    const { cursor, delivery } = await shown(house);
    const events = [];
    for await (const event of eventsOf(house.log)) events.push(event.position);
    expect(cursor?.['position']).to.equal(events[CURSOR_AT - 1]);
    expect(delivery).to.deep.equal(pending);
  });
});
