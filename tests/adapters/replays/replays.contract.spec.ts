// What both places of named copies promise: none is there before it is whole, what was cut goes on, a name has one copy.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryDocuments } from '../../../src/adapters/documents/memory.js';
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { replaysInDocuments, sharedReplayCollections } from '../../../src/adapters/replays/documents.js';
import { replaysInFiles } from '../../../src/adapters/replays/files.js';
import { replayCollection, replayInfoId, type ReplayInfo } from '../../../src/adapters/replays/info.js';
import { replayMakingInDocuments } from '../../../src/adapters/replays/making-in-documents.js';
import { replayMakingInFiles } from '../../../src/adapters/replays/making-in-files.js';
import type { Making, ReplayMaking, ReplayRequest, Replays } from '../../../src/adapters/replays/port.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { Unavailable } from '../../../src/domain/errors.js';

type Process = { readonly replays: Replays; readonly making: ReplayMaking; readonly dataDir: string };

const CONTENT = { name: 'content', indexes: [] };
const request: ReplayRequest = {
  ...{ projectId: 'proj_1', name: 'small', until: null, whatIf: { commission: 0.15 } },
  ...{ requestedAt: '2026-11-20T00:00:00.000Z', begun: 0, problem: null },
};
const infoOf = ({ name, projectId, whatIf }: ReplayRequest): ReplayInfo => ({
  ...{ name, projectId, whatIf, readModels: [], collections: [], until: null, endsAt: '', position: '1' },
  madeAt: '2026-11-20T00:00:01.000Z',
});
/** A megabyte and more, so that its bytes take several segments. */
const fillWith = (asked: ReplayRequest, value: string) => async (docs: DocStore) => {
  await docs.bulk?.begin([replayCollection, CONTENT]);
  const rows = Array.from({ length: 40 }, (_, n) => ({ id: `d${n}`, text: value.repeat(50_000 / value.length) }));
  await docs.bulk?.put(rows.map(({ id, text }) => ({ c: CONTENT.name, id, guard: '1', doc: { text } })));
  await docs.bulk?.put([{ c: replayCollection.name, id: replayInfoId, guard: '1', doc: infoOf(asked) }]);
  await docs.bulk?.finish([replayCollection, CONTENT]);
};
const readBack = async ({ replays }: Process, name = request.name): Promise<string | undefined> => {
  const found = await replays.open('proj_1', name);
  if (!found) return undefined;
  await found.docs.ensure([CONTENT]);
  const text = (await found.docs.get(CONTENT.name, ['d39'])).get('d39')?.doc?.['text'];
  return String(text).slice(0, 4);
};

describe('named copies', () => {
  const root = mkdtempSync(join(tmpdir(), 'subledger-replays-'));
  const open: Process[] = [];
  let directories = 0;
  after(async () => {
    for (const { replays } of open) await replays.close();
    rmSync(root, { recursive: true, force: true });
  });
  const opened = (one: Process) => {
    open.push(one);
    return one;
  };
  const newDirectory = () => join(root, String(directories++));
  const inFiles = (dataDir: string) =>
    opened({ dataDir, replays: replaysInFiles(dataDir), making: replayMakingInFiles(dataDir) });
  const inDocuments = (docs: DocStore, dataDir = newDirectory(), elapsed = systemRuntime().elapsed) => {
    const deps = { docs, runtime: { ...systemRuntime(), elapsed }, dataDir };
    return opened({ dataDir, replays: replaysInDocuments(deps), making: replayMakingInDocuments(deps) });
  };
  const sharedDocuments = async () => {
    const docs = memoryDocuments();
    await docs.ensure(sharedReplayCollections);
    return docs;
  };

  const places: Readonly<Record<string, () => Promise<() => Process>>> = {
    'in files': async () => {
      const dataDir = newDirectory();
      return () => inFiles(dataDir);
    },
    'in documents, each process with a directory of its own': async () => {
      const docs = await sharedDocuments();
      return () => inDocuments(docs);
    },
  };
  for (const [where, place] of Object.entries(places)) {
    describe(where, () => {
      it('are listed and read once they are whole, also by a process that begins later', async () => {
        const start = await place();
        const one = start();
        expect(await one.making.ask(request)).to.equal(true);
        const [asked] = await one.making.asked();
        expect(asked).to.deep.equal({ ...request, progress: null, sizeBytes: 0 });
        const seen: unknown[] = [];
        const end = await one.making.make(request, async (docs) => {
          await fillWith(request, 'abcd')(docs);
          seen.push(await one.replays.list('proj_1'), await readBack(one));
          seen.push((await start().making.asked())[0]?.name);
        });
        expect([end, seen]).to.deep.equal(['made', [[], undefined, 'small']]);
        const other = start();
        for (const process of [one, other]) {
          const [copy] = await process.replays.list('proj_1');
          expect(copy).to.deep.include({ projectId: 'proj_1', name: 'small', info: infoOf(request) });
          expect(copy?.sizeBytes).to.be.greaterThan(1_000_000);
          expect(await readBack(process)).to.equal('abcd');
          expect(await process.making.asked()).to.deep.equal([]);
          expect(await process.replays.list('proj_2')).to.deep.equal([]);
        }
        expect(await other.replays.open('proj_2', 'small')).to.equal(undefined);
      });

      it('have one name each, until they are taken back or removed', async () => {
        const start = await place();
        const one = start();
        expect(await one.making.ask(request)).to.equal(true);
        expect(await one.making.ask({ ...request, whatIf: {} })).to.equal(false);
        expect(await start().making.ask(request)).to.equal(false);
        expect(await one.making.forget(request)).to.equal(true);
        expect(await one.making.asked()).to.deep.equal([]);
        expect(await one.making.forget(request), 'again').to.equal(true);
        await one.making.ask(request);
        await one.making.make(request, fillWith(request, 'abcd'));
        await readBack(one);
        await one.replays.remove(request);
        expect([await one.replays.list('proj_1'), await readBack(one)]).to.deep.equal([[], undefined]);
        await one.making.ask(request);
        await one.making.make(request, fillWith(request, 'efgh'));
        expect(await readBack(one)).to.equal('efgh');
      });

      it('keep what is said of them: how often they were begun, and why they are given up', async () => {
        const start = await place();
        const one = start();
        await one.making.ask(request);
        await one.making.ask({ ...request, name: 'older', requestedAt: '2026-11-19T00:00:00.000Z' });
        await one.making.update({ ...request, begun: 2, problem: 'it was cut' });
        const asked = await start().making.asked();
        expect(asked.map(({ name, begun, problem }) => [name, begun, problem])).to.deep.equal([
          ['older', 0, null],
          ['small', 2, 'it was cut'],
        ]);
        await one.making.forget(request);
        await one.making.update({ ...request, problem: 'late' });
        expect((await one.making.asked()).map(({ name }) => name)).to.deep.equal(['older']);
      });

      it('go on with what a run left that failed', async () => {
        const one = (await place())();
        await one.making.ask(request);
        const failed = one.making.make(request, async (docs) => {
          await docs.bulk?.begin([CONTENT]);
          await docs.bulk?.put([{ c: CONTENT.name, id: 'first', guard: '1', doc: { text: 'kept' } }]);
          throw new Error('cut');
        });
        expect(await failed.catch((err: unknown) => String(err))).to.equal('Error: cut');
        expect(await one.replays.list('proj_1')).to.deep.equal([]);
        let kept: unknown;
        const end = await one.making.make(request, async (docs) => {
          await docs.bulk?.begin([CONTENT]);
          kept = (await docs.get(CONTENT.name, ['first'])).get('first')?.doc;
          await fillWith(request, 'abcd')(docs);
        });
        expect([end, kept, await readBack(one)]).to.deep.equal(['made', { text: 'kept' }, 'abcd']);
      });

      it('go with their project, and leave those of others', async () => {
        const one = (await place())();
        const other = { ...request, projectId: 'proj_2' };
        for (const asked of [request, other]) {
          await one.making.ask(asked);
          await one.making.make(asked, fillWith(asked, 'abcd'));
        }
        await one.replays.removeAllOf('proj_1');
        await one.replays.removeAllOf('proj_1');
        expect(await one.replays.list('proj_1')).to.deep.equal([]);
        expect(await readBack(one)).to.equal(undefined);
        expect((await one.replays.list('proj_2')).map(({ name }) => name)).to.deep.equal(['small']);
      });

      it('are not found by what no name is', async () => {
        const one = (await place())();
        for (const name of ['../documents', 'Capital', '']) {
          expect(await one.making.ask({ ...request, name })).to.equal(false);
          expect(await one.replays.open('proj_1', name)).to.equal(undefined);
        }
      });
    });
  }

  describe('in documents', () => {
    /** Each look at the time is a minute after the one before: every report is due. */
    const minutes = () => {
      let now = 0;
      return () => (now += 60_000);
    };
    const cutSoon = ({ signal, report }: Making) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        report(0.5);
      });

    it('show how far they are', async () => {
      const docs = await sharedDocuments();
      const [one, other] = [inDocuments(docs, newDirectory(), minutes()), inDocuments(docs)];
      await one.making.ask(request);
      const end = one.making.make(request, async (copy, { report }) => {
        await fillWith(request, 'abcd')(copy);
        report(0.25);
        for (;;) {
          const [asked] = await other.making.asked();
          if (asked?.progress === 0.25 && asked.sizeBytes > 0) return;
        }
      });
      expect(await end).to.equal('made');
    });

    it('are taken back in any process: the one that makes them lets go', async () => {
      const docs = await sharedDocuments();
      const [one, other] = [inDocuments(docs, newDirectory(), minutes()), inDocuments(docs)];
      await one.making.ask(request);
      const end = await one.making.make(request, async (_copy, making) => {
        expect(await other.making.forget(request)).to.equal(true);
        await cutSoon(making);
      });
      expect([end, await one.making.asked(), await one.replays.list('proj_1')]).to.deep.equal(['taken back', [], []]);
    });

    it('are not published by a process whose lease has gone to another', async () => {
      const docs = await sharedDocuments();
      const [late, other] = [inDocuments(docs), inDocuments(docs)];
      await late.making.ask(request);
      const end = await late.making.make(request, async (copy) => {
        await fillWith(request, 'late')(copy);
        await other.making.make(request, fillWith(request, 'abcd'));
      });
      expect([end, await readBack(late), await readBack(other)]).to.deep.equal(['taken back', 'abcd', 'abcd']);
      const heads = await docs.scan(sharedReplayCollections[1].name, { index: 'id', eq: [], limit: 10 });
      expect(heads.rows, 'one copy kept').to.have.length(1);
    });

    it('leave nothing behind: files and bytes that belong to no copy go', async () => {
      const docs = await sharedDocuments();
      const [one, other] = [inDocuments(docs), inDocuments(docs)];
      for (const name of ['first', 'second']) {
        const asked = { ...request, name };
        await one.making.ask(asked);
        await one.making.make(asked, fillWith(asked, 'abcd'));
        expect(await readBack(other, name)).to.equal('abcd');
        await other.replays.remove(asked);
      }
      await one.making.ask(request);
      await one.making.make(request, fillWith(request, 'abcd'));
      await readBack(other);
      for (const { dataDir } of [one, other]) {
        const files = readdirSync(join(dataDir, 'replays', 'fetched'));
        expect(new Set(files.map((file) => file.split('.')[0])).size).to.equal(1);
      }
      const segments = sharedReplayCollections[2].name;
      const left = await docs.scan(segments, { index: 'id', eq: [], limit: 100 });
      await one.replays.remove(request);
      expect(left.rows.length).to.be.greaterThan(1);
      expect((await docs.scan(segments, { index: 'id', eq: [], limit: 100 })).rows).to.deep.equal([]);
    });

    it('whose bytes are damaged are unavailable, and say so', async () => {
      const docs = await sharedDocuments();
      const [one, other] = [inDocuments(docs), inDocuments(docs)];
      await one.making.ask(request);
      await one.making.make(request, fillWith(request, 'abcd'));
      const segments = sharedReplayCollections[2].name;
      const [last] = (await docs.scan(segments, { index: 'id', eq: [], limit: 1, reverse: true })).rows;
      expect(last).to.not.equal(undefined);
      if (last) await docs.write([[{ c: segments, id: last.id, expect: last.guard, guard: '99', doc: null }]]);
      const refused = await other.replays.open('proj_1', 'small').catch((err: unknown) => err);
      expect(refused).to.be.instanceOf(Unavailable);
      expect(await readBack(one), 'its own file is whole').to.equal('abcd');
    });
  });
});
