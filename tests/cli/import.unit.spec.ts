// An import that is cut anywhere and run again ends like one that was not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { createMemoryDocuments } from '../adapters/documents/memory.js';
import { createMemoryLog } from '../adapters/event-log/memory.js';
import type { EventLog } from '../../src/adapters/event-log/port.js';
import { Unavailable } from '../../src/domain/errors.js';
import { rawCodec } from '../../src/adapters/event-log/codec.js';
import { dataKeyCollection } from '../../src/adapters/keys/vault.js';
import { deliveryCollection } from '../../src/commands/webhooks/deliveries.js';
import { streams } from '../../src/domain/streams.js';
import { writeDump, type DumpLine } from '../../src/cli/moving/dump-file.js';
import { importInto } from '../../src/cli/moving/import.js';
import { eventsOf, movedCollections, recordsOf } from '../../src/cli/moving/moving.js';
import { createProgress } from '../../src/projections/runtime/progress.js';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { reactionCheckpointCollection, runReaction, type Reaction } from '../../src/workers/reactions/reaction.js';
import { endpointCollection } from '../../src/workers/webhooks/endpoints.js';
import { noted } from '../contract/event-log-samples.js';
import { logPosition } from '../../src/domain/envelope.js';

const CUSTOMERS = 40;
const CHECKPOINT_AT = 57;
const fields = deliveryCollection.indexes.flatMap((index) => index.fields);
const pending = {
  ...Object.fromEntries(fields.map((field) => [field, `some ${field}`])),
  state: 'pending',
  failures: 1,
  place: `${logPosition(CHECKPOINT_AT - 1)}|00`,
};
const newest = { ...pending, place: `${logPosition(CHECKPOINT_AT)}|00` };
const endpoint = { projectId: 'proj_1', endpointId: 'wh_1' };
const key = { wrapped: 'v1.k1.some key' };
const configured = { url: 'https://example.com' };

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
      yield {
        kind: 'record',
        record: record(reactionCheckpointCollection.name, 'fanout', {
          position: logPosition(CHECKPOINT_AT),
          log: 'old',
        }),
      };
      yield {
        kind: 'record',
        record: record(reactionCheckpointCollection.name, 'stale', { position: logPosition(9), log: 'other' }),
      };
      // Export of an earlier version.
      const former = { position: logPosition(CHECKPOINT_AT), log: 'old' };
      yield { kind: 'record', record: record('cursors', 'endings', former) };
      yield { kind: 'record', record: record(deliveryCollection.name, 'whd_1', pending) };
      yield { kind: 'record', record: record(deliveryCollection.name, 'whd_2', newest) };
      const versions = [{ from: logPosition(7), endpoint: configured }];
      yield { kind: 'record', record: record(endpointCollection.name, 'wh_1', { ...endpoint, versions }) };
      yield { kind: 'record', record: record(dataKeyCollection.name, 'cus_1', key) };
      for await (const event of eventsOf(log)) yield { kind: 'event', event };
    }
    await writeDump(file, 'old', lines());
  });

  const newHouse = async () => {
    const docs = createMemoryDocuments();
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
    const storedIn = async (c: string, id: string) => (await docs.get(c, [id])).get(id)?.doc;
    return {
      events,
      checkpoint: await storedIn(reactionCheckpointCollection.name, 'fanout'),
      renamed: await storedIn(reactionCheckpointCollection.name, 'deletion_cleanup'),
      stale: await storedIn(reactionCheckpointCollection.name, 'stale'),
      delivery: await storedIn(deliveryCollection.name, 'whd_1'),
      newer: await storedIn(deliveryCollection.name, 'whd_2'),
      endpoint: await storedIn(endpointCollection.name, 'wh_1'),
    };
  };

  const recordsIn = async ({ docs }: Awaited<ReturnType<typeof newHouse>>) => {
    const records = [];
    for await (const record of recordsOf(docs)) records.push(record);
    return records;
  };

  for (const appends of [0, 1, 30, 119]) {
    it(`after ${appends} appends, and run again, is like one that was not`, async () => {
      const [whole, cut] = [await newHouse(), await newHouse()];
      const counts = await importInto(whole, file);
      const failed = await importInto({ ...cut, log: cutAfter(cut.log, appends) }, file).catch(
        (err: Error) => err.message,
      );
      expect(failed).to.match(/cut off; run the import again/);
      expect((await shown(cut)).checkpoint, 'a checkpoint before its log').to.equal(undefined);
      expect(await importInto(cut, file)).to.deep.equal(counts);
      expect(await shown(cut)).to.deep.equal(await shown(whole));
      expect((await shown(cut)).events).to.have.length(3 * CUSTOMERS);
    });
  }

  it('lets the fan-out continue after its last event, and keeps pending deliveries', async () => {
    const house = await newHouse();
    await importInto(house, file);
    const { checkpoint, renamed, stale, delivery, newer, endpoint: made } = await shown(house);
    const events = [];
    for await (const event of eventsOf(house.log)) events.push(event.position);
    expect(checkpoint).to.deep.equal({ position: events[CHECKPOINT_AT - 1], log: 'new' });
    expect(renamed, 'a checkpoint under its former name').to.deep.equal(checkpoint);
    expect(stale, 'a checkpoint that counted as none').to.deep.equal({ position: logPosition(9), log: 'other' });
    expect(delivery).to.deep.equal({ ...pending, place: delivery?.['place'] });
    const places = [delivery?.['place'], newer?.['place'], `${events[CHECKPOINT_AT]}|00`].map(String);
    expect(places, 'before what comes after, in their order').to.deep.equal([...places].sort());
    expect(made?.['versions']).to.deep.equal([{ from: events[6], endpoint: configured }]);
  });

  it('sends what was not fanned out yet, and nothing a second time', async () => {
    const house = await newHouse();
    await importInto(house, file);
    const seen: string[] = [];
    const stopping = new AbortController();
    const last = (await house.log.head()) as string;
    const reaction: Reaction = {
      name: 'fanout',
      families: ['subscriber'],
      serialKeyOf: (event) => event.stream,
      startAt: async () => expect.fail('it has a checkpoint of this log'),
      handle: async (event) => {
        seen.push(event.position);
        if (event.position === last) stopping.abort();
      },
    };
    const runtime = systemRuntime();
    const deps = { ...house, runtime, logger: pino({ level: 'silent' }), progress: createProgress() };
    await runReaction(reaction, deps, stopping.signal);
    const events = [];
    for await (const event of eventsOf(house.log)) events.push(event.position);
    expect(seen.sort()).to.deep.equal(events.slice(CHECKPOINT_AT));
  });

  it('into another installation writes nothing', async () => {
    const house = await newHouse();
    await house.log.append(streams.subscriber('proj_2', 'cus_1'), 'any', [{ ...noted('other'), v: 1 } as never]);
    const refusal = await importInto(house, file).catch((err: Error) => err.message);
    expect(refusal).to.equal('the log contains other events; import into an empty installation');
    expect(await recordsIn(house)).to.deep.equal([]);
  });

  it('into its own installation, which has newer events, writes nothing', async () => {
    const house = await newHouse();
    await importInto(house, file);
    await house.log.append(streams.subscriber('proj_1', 'cus_1'), 'any', [{ ...noted('newer'), v: 1 } as never]);
    const before = await recordsIn(house);
    const refusal = await importInto(house, file).catch((err: Error) => err.message);
    expect(refusal).to.equal(
      'the log contains 1 events that the file does not contain; import into an empty installation',
    );
    expect(await recordsIn(house)).to.deep.equal(before);
  });

  it('into an installation whose records differ writes nothing', async () => {
    const house = await newHouse();
    const other = { wrapped: 'v1.k1.another key' };
    await house.docs.write([[{ c: dataKeyCollection.name, id: 'cus_1', expect: null, guard: '1', doc: other }]]);
    const refusal = await importInto(house, file).catch((err: Error) => err.message);
    expect(refusal).to.match(/^record cus_1 of data_keys already exists with other content/);
    expect((await recordsIn(house)).map(({ id }) => id)).to.deep.equal(['cus_1']);
  });
});
